"""What a tool prints, for tests that need some output and not a certain one."""

from __future__ import annotations

RADOS = """hints = 1
Maintaining 1 concurrent writes of 4096 bytes to objects of size 4096 for up to 2 seconds or 0 objects
  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)
    0       0         0         0         0         0           -           0
    1       1       201       200  0.781173   0.78125  0.00412345  0.00498765
    2       1       404       403  0.787033  0.792969  0.00512345  0.00495432
Total time run:         2.00413
Total writes made:      404
Write size:             4096
Object size:            4096
Bandwidth (MB/sec):     0.787437
Average IOPS:           201
Average Latency(s):     0.00495987
Max latency(s):         0.0123456
Min latency(s):         0.00256789
"""
