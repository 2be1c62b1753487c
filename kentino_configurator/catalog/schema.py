"""Tables of the catalogue database: money in integer cents, trees as JSON text, every fact with its source."""

from __future__ import annotations

SCHEMA_VERSION = 2

PART_COLUMNS = (
    "sku",
    "category",
    "name",
    "vendor",
    "mpn",
    "socket_or_form",
    "cores",
    "memory_channels",
    "memory_speed",
    "capacity_gb",
    "pcie_gen",
    "pcie_lanes",
    "ports",
    "port_gbps",
    "protocol",
    "connector",
    "max_length_m",
    "power_w",
    "rack_units",
    "attributes",
    "source",
    "confidence",
    "notes",
    "retired",
)

DDL = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE source (
    key TEXT PRIMARY KEY,
    what TEXT NOT NULL CHECK (what <> ''),
    weight TEXT NOT NULL
) STRICT;

CREATE TABLE currency (
    currency TEXT PRIMARY KEY CHECK (length(currency) = 3),
    eur_per_unit REAL NOT NULL CHECK (eur_per_unit > 0),
    date TEXT NOT NULL,
    evidence TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    note TEXT NOT NULL
) STRICT;

CREATE TABLE policy (
    id TEXT PRIMARY KEY,
    value REAL NOT NULL,
    unit TEXT NOT NULL,
    evidence TEXT NOT NULL
        CHECK (evidence IN ('measured', 'vendor', 'derived', 'assumed', 'field', 'customer')),
    source TEXT NOT NULL CHECK (source <> ''),
    note TEXT NOT NULL
) STRICT;

CREATE TABLE item (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('gpu', 'platform', 'part'))
) STRICT;

CREATE TABLE price_observation (
    id INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL REFERENCES item (id),
    low_cents INTEGER NOT NULL CHECK (low_cents > 0),
    high_cents INTEGER NOT NULL CHECK (high_cents >= low_cents),
    currency TEXT NOT NULL CHECK (length(currency) = 3),
    vat TEXT NOT NULL,
    vat_percent REAL NOT NULL CHECK (vat_percent >= 0),
    observed TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    note TEXT NOT NULL
) STRICT;

CREATE TABLE price (
    item_id TEXT PRIMARY KEY REFERENCES item (id),
    net_cents INTEGER CHECK (net_cents > 0),
    currency TEXT NOT NULL CHECK (currency = 'EUR'),
    status TEXT NOT NULL
        CHECK (status IN ('kentino_list', 'observed', 'estimated', 'placeholder', 'missing')),
    observed_on TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    source TEXT NOT NULL,
    note TEXT NOT NULL,
    CHECK ((net_cents IS NULL) = (status = 'missing')),
    CHECK (status = 'missing' OR (source <> '' AND observed_on <> ''))
) STRICT;

CREATE TABLE price_import (
    id INTEGER PRIMARY KEY,
    imported_at TEXT NOT NULL CHECK (imported_at <> ''),
    author TEXT NOT NULL CHECK (author <> ''),
    file_name TEXT NOT NULL CHECK (file_name <> ''),
    file_sha256 TEXT NOT NULL CHECK (length(file_sha256) = 64),
    catalog_sha256_before TEXT NOT NULL CHECK (length(catalog_sha256_before) = 64),
    added INTEGER NOT NULL CHECK (added >= 0),
    changed INTEGER NOT NULL CHECK (changed >= 0),
    unchanged INTEGER NOT NULL CHECK (unchanged >= 0)
) STRICT;

CREATE TABLE gpu (
    id TEXT PRIMARY KEY REFERENCES item (id),
    position INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    family TEXT NOT NULL,
    aliases TEXT NOT NULL CHECK (json_valid(aliases)),
    tier TEXT NOT NULL CHECK (tier IN ('ships', 'adjacent', 'watch', 'reference_only')),
    architecture TEXT NOT NULL,
    form_factor TEXT NOT NULL,
    vram_bytes INTEGER NOT NULL CHECK (vram_bytes > 0),
    marketed_gb INTEGER NOT NULL CHECK (marketed_gb > 0),
    memory_bandwidth_bytes_per_s REAL NOT NULL CHECK (memory_bandwidth_bytes_per_s > 0),
    bf16_flop_per_s REAL,
    fp8_flop_per_s REAL,
    fp4_flop_per_s REAL,
    int8_op_per_s REAL,
    pcie_gen INTEGER NOT NULL,
    pcie_lanes INTEGER NOT NULL,
    nvlink_bytes_per_s REAL NOT NULL,
    p2p INTEGER CHECK (p2p IN (0, 1)),
    tdp_w INTEGER NOT NULL CHECK (tdp_w > 0),
    slots_wide INTEGER NOT NULL,
    length_mm INTEGER,
    cooling TEXT NOT NULL,
    power_connector TEXT NOT NULL,
    mig INTEGER NOT NULL CHECK (mig IN (0, 1)),
    is_geforce INTEGER NOT NULL CHECK (is_geforce IN (0, 1)),
    part_number TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    confidence TEXT NOT NULL CHECK (confidence <> ''),
    notes TEXT NOT NULL
) STRICT;

CREATE TABLE gpu_alias (
    spelling TEXT NOT NULL,
    position INTEGER NOT NULL,
    gpu_id TEXT NOT NULL REFERENCES gpu (id),
    PRIMARY KEY (spelling, position)
) STRICT;

CREATE TABLE model (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    hf_id TEXT NOT NULL,
    text_params INTEGER NOT NULL CHECK (text_params > 0),
    active_params INTEGER NOT NULL CHECK (active_params > 0),
    entry TEXT NOT NULL CHECK (json_valid(entry))
) STRICT;

CREATE TABLE model_alias (
    spelling TEXT PRIMARY KEY,
    model_id TEXT NOT NULL REFERENCES model (id)
) STRICT;

CREATE TABLE slot_map (
    id TEXT PRIMARY KEY,
    entry TEXT NOT NULL CHECK (json_valid(entry))
) STRICT;

CREATE TABLE platform (
    id TEXT PRIMARY KEY REFERENCES item (id),
    position INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    vendor TEXT NOT NULL,
    class TEXT NOT NULL,
    tier TEXT NOT NULL,
    form TEXT NOT NULL CHECK (form IN ('rack', 'tower', 'open_frame')),
    rack_units INTEGER,
    depth_mm INTEGER,
    weight_kg REAL,
    sockets INTEGER,
    cpu_socket TEXT NOT NULL,
    max_cpu_tdp_w INTEGER,
    dimm_slots INTEGER,
    memory_channels INTEGER,
    gpu_slots_double INTEGER,
    gpu_slots_single INTEGER,
    gpu_max_w INTEGER,
    gpu_attach TEXT NOT NULL,
    switch_model TEXT NOT NULL,
    switch_count INTEGER,
    nic_slots TEXT NOT NULL,
    nvme_bays TEXT NOT NULL,
    boot TEXT NOT NULL,
    psu_count INTEGER,
    psu_w INTEGER,
    psu_redundancy TEXT NOT NULL,
    max_inlet_c INTEGER,
    slot_map_id TEXT REFERENCES slot_map (id),
    source TEXT NOT NULL CHECK (source <> ''),
    confidence TEXT NOT NULL CHECK (confidence <> ''),
    notes TEXT NOT NULL
) STRICT;

CREATE TABLE part (
    sku TEXT PRIMARY KEY REFERENCES item (id),
    category TEXT NOT NULL,
    name TEXT NOT NULL,
    vendor TEXT NOT NULL,
    mpn TEXT NOT NULL,
    socket_or_form TEXT NOT NULL,
    cores INTEGER,
    memory_channels INTEGER,
    memory_speed TEXT NOT NULL,
    capacity_gb REAL,
    pcie_gen INTEGER,
    pcie_lanes INTEGER,
    ports INTEGER,
    port_gbps REAL,
    protocol TEXT NOT NULL,
    connector TEXT NOT NULL,
    max_length_m REAL,
    power_w REAL,
    rack_units INTEGER,
    attributes TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    confidence TEXT NOT NULL CHECK (confidence <> ''),
    notes TEXT NOT NULL,
    retired INTEGER NOT NULL CHECK (retired IN (0, 1)),
    position INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TABLE build (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    gpu_count INTEGER NOT NULL CHECK (gpu_count > 0),
    platform_id TEXT NOT NULL REFERENCES platform (id),
    form TEXT NOT NULL CHECK (form IN ('rack', 'tower', 'open_frame')),
    psu_w INTEGER,
    psu_count INTEGER,
    vendor_listed INTEGER CHECK (vendor_listed IN (0, 1)),
    gpu_cap_w INTEGER,
    notes TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> '')
) STRICT;

CREATE TABLE build_gpu (
    build_id TEXT NOT NULL REFERENCES build (id),
    position INTEGER NOT NULL,
    gpu_id TEXT NOT NULL REFERENCES gpu (id),
    PRIMARY KEY (build_id, position)
) STRICT;

CREATE TABLE build_part (
    build_id TEXT NOT NULL REFERENCES build (id),
    role TEXT NOT NULL CHECK (role IN ('cpus', 'dimms', 'nics', 'psus', 'parts')),
    position INTEGER NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    sku TEXT NOT NULL REFERENCES part (sku),
    PRIMARY KEY (build_id, role, position)
) STRICT;

CREATE TABLE path_bandwidth (
    position INTEGER PRIMARY KEY,
    path_class TEXT NOT NULL,
    label TEXT NOT NULL,
    meaning TEXT NOT NULL,
    system TEXT NOT NULL,
    gpu TEXT NOT NULL,
    one_way_low_bytes_per_s REAL,
    one_way_high_bytes_per_s REAL,
    both_ways_low_bytes_per_s REAL,
    both_ways_high_bytes_per_s REAL,
    latency_low_s REAL,
    latency_high_s REAL,
    conditions TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    confidence TEXT NOT NULL
) STRICT;

CREATE TABLE reliability (
    id TEXT PRIMARY KEY,
    topic TEXT NOT NULL,
    metric TEXT NOT NULL,
    value TEXT NOT NULL,
    unit TEXT NOT NULL,
    scope TEXT NOT NULL,
    provenance TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source <> ''),
    source_date TEXT NOT NULL,
    notes TEXT NOT NULL
) STRICT;

CREATE TABLE calibration (
    topic TEXT NOT NULL,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT NOT NULL,
    evidence TEXT NOT NULL CHECK (evidence <> ''),
    source TEXT NOT NULL CHECK (source <> ''),
    error_median REAL,
    error_p90 REAL,
    PRIMARY KEY (topic, subject, name)
) STRICT;

CREATE TABLE search_text (
    rowid INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    item_id TEXT NOT NULL,
    name TEXT NOT NULL,
    maker TEXT NOT NULL,
    mpn TEXT NOT NULL,
    description TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE search_text_fts USING fts5 (
    name, maker, mpn, description,
    content = 'search_text', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'
);
"""

FILL_SEARCH_INDEX = (
    "INSERT INTO search_text_fts (search_text_fts) VALUES ('rebuild')",
    "INSERT INTO search_text_fts (search_text_fts) VALUES ('optimize')",
)
