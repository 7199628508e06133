-- One row a bundle. Everything here can be read again from the bundles: `radoscope import --again`.
CREATE TABLE study (
    id            TEXT PRIMARY KEY,      -- also the name of the bundle's folder
    kind          TEXT NOT NULL,         -- study, import, damaged
    title         TEXT NOT NULL,         -- the plan of a study, the source of an import
    target        TEXT NOT NULL,
    created_at_s  REAL NOT NULL,         -- Unix time
    seconds       REAL NOT NULL,
    complete      INTEGER NOT NULL,
    version       TEXT NOT NULL,         -- of radoscope, that wrote the bundle
    content_hash  TEXT,                  -- SHA-256 of an imported text
    problem       TEXT NOT NULL,         -- why a damaged bundle could not be read
    stamp         TEXT NOT NULL          -- of the manifest when it was read: time and size
);

CREATE TABLE cell (
    study         TEXT NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    name          TEXT NOT NULL,
    title         TEXT NOT NULL,
    layer         TEXT NOT NULL,
    place         TEXT NOT NULL,
    sync          TEXT NOT NULL,
    clients       INTEGER NOT NULL,
    rate_iops     REAL,
    PRIMARY KEY (study, name)
);

-- One row a run, client process and direction, as the tool reported it. NULL: it did not say.
CREATE TABLE result (
    study         TEXT NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL,
    cell          TEXT NOT NULL,
    round         INTEGER NOT NULL,
    outcome       TEXT NOT NULL,
    started_at_s  REAL NOT NULL,
    tool          TEXT NOT NULL,
    op            TEXT,
    block_bytes   INTEGER,
    queue_depth   INTEGER,
    jobs          INTEGER,
    iops          REAL,
    bandwidth_bytes_per_s REAL,
    lat_mean_s    REAL,
    lat_p50_s     REAL,
    lat_p99_s     REAL,
    lat_p999_s    REAL,
    lat_max_s     REAL,
    sync_mean_s   REAL,
    total_ios     INTEGER,
    runtime_s     REAL,
    first_line    INTEGER,
    last_line     INTEGER,
    PRIMARY KEY (study, number)
);

CREATE INDEX result_load ON result (tool, op, block_bytes, queue_depth);
