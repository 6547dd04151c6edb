"""Systems under test. Each kind is a factory registered under the entry-point group ``benchbar.assistants``."""
