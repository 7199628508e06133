-- The names of records.fields, which are those of all JSON.
ALTER TABLE result RENAME COLUMN lat_mean_s TO latency_mean_s;
ALTER TABLE result RENAME COLUMN lat_p50_s TO latency_p50_s;
ALTER TABLE result RENAME COLUMN lat_p99_s TO latency_p99_s;
ALTER TABLE result RENAME COLUMN lat_p999_s TO latency_p999_s;
ALTER TABLE result RENAME COLUMN lat_max_s TO latency_max_s;
