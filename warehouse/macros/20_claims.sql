-- A name the registry does not know, as a key: case, spaces and punctuation do not matter.
CREATE MACRO name_group(name) AS '~' || trim(regexp_replace(lower(name), '[^\p{L}\p{N}]+', ' ', 'g'));

-- What a figure is counted by, in one word: gpu, chip and package are one thing.
CREATE MACRO per_word(per) AS CASE
    WHEN per IN ('gpu', 'chip', 'package', 'device', 'card', 'tpu', 'accelerator') THEN 'accelerator'
    WHEN per IN ('superchip', 'module', 'blade', 'board') THEN 'board'
    WHEN per IN ('tray', 'server', 'instance', 'box', 'node') THEN 'node'
    WHEN per IN ('cabinet', 'rack', 'domain') THEN 'rack'
    WHEN per IN ('superpod', 'pod') THEN 'pod'
    WHEN per IN ('link', 'nic', 'port') THEN 'port'
    ELSE per
END;

-- Qualifiers that say how a number was printed or bounded, not what it counts.
CREATE MACRO topic_of(qualifiers) AS map_from_entries(list_transform(
    list_filter(
        map_entries(qualifiers),
        lambda entry: entry.value <> 'unstated' AND entry.key NOT IN ('bound', 'approx', 'memory_type', 'printed_unit')
    ),
    lambda entry: {
        'key': entry.key, 'value': CASE WHEN entry.key = 'per' THEN per_word(entry.value) ELSE entry.value END
    }
));

-- A stated qualifier; 'unstated' is the same as not there.
CREATE MACRO stated(qualifiers, name) AS nullif(qualifiers[name], 'unstated');

-- How far apart two stances may be: the larger tolerance of the two, of the larger finite value.
CREATE MACRO tolerated(a, b) AS
    greatest(a.tolerance, b.tolerance) * greatest(abs(a.value), abs(b.value));

-- Whether one value is about `factor` times the other.
CREATE MACRO near_ratio(x, y, factor) AS
    abs(greatest(abs(x), abs(y)) / nullif(least(abs(x), abs(y)), 0) / factor - 1) <= 0.03;

-- Two-sided 95 percent quantile of Student's t for so many degrees of freedom, from the usual table; above 30 the normal one.
CREATE MACRO student_t95(freedom) AS CASE WHEN freedom < 1 THEN NULL ELSE coalesce(
    [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
     2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042][freedom::BIGINT], 1.960)
END;

-- Metrics that count what one thing is built of; a bound on such a count is a statement of the count.
CREATE MACRO is_built_count(metric) AS metric IN (
    'accelerator_count', 'cpu_count', 'cable_count', 'die_count', 'part_count', 'port_count', 'scale_up_domain_size'
);
