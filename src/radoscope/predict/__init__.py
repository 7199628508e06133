"""Facts or a study -> model -> forecast. The analytic part is plain Python; the simulator lives in `simulate`."""
