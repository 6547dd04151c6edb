"""What an assistant, a name or a file may hold that must never run."""

from __future__ import annotations

NAME = "<img src=x onerror=window.harmed=8> & судья"
ASSISTANT = "hostile"
PERSON = "张伟"
PHONE = "13812345678"
HOSTILE = f"""
## 结论

依照《民事基本法》第五十八条，定金**不得超过**百分之十五。<script>window.harmed = 1</script>
<img src=x onerror="window.harmed = 2"> <svg onload="window.harmed = 3"></svg>

- [点这里](javascript:window.harmed=4) [或这里](data:text/html,<script>window.harmed=5</script>)
- ![图](http://127.0.0.1:9/spy.png) [官网](https://example.org/a?b=1&c=2)
- 依照《民事基本法》第九千条处理；当事人{PERSON}，电话{PHONE}。

</div></article><style>body {{ display: none }}</style>{{{{7*7}}}}
"""
