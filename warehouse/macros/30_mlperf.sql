-- A name as one word: lower case, anything else than letters, digits and dots becomes a dash.
CREATE MACRO name_slug(name) AS trim(regexp_replace(lower(coalesce(name, '')), '[^\p{L}\p{N}.]+', '-', 'g'), '-');

-- One key for one machine over all rounds and suites: who, what it is called without its software, what it holds.
-- What stands in brackets is mostly the software or the count again, so it is left out; a name that is nothing but
-- brackets is kept whole.
CREATE MACRO mlperf_system_key(submitter, system_name, accelerator, accelerators, nodes, host_processor) AS
    concat_ws('/',
        name_slug(submitter),
        coalesce(nullif(name_slug(regexp_replace(system_name, '\([^)]*\)', ' ', 'g')), ''), name_slug(system_name)),
        coalesce(accelerators::VARCHAR, '?') || 'x-' || accelerator,
        coalesce(nodes::VARCHAR, '?') || '-nodes',
        name_slug(regexp_replace(host_processor, '\((r|tm)\)|@.*|cpu|processor', ' ', 'gi')));

-- 'v0.7' as 7 and 'v10.1' as 10001, so that rounds compare in order.
CREATE MACRO round_number(round) AS
    1000 * split_part(ltrim(round, 'v'), '.', 1)::INTEGER + split_part(ltrim(round, 'v'), '.', 2)::INTEGER;
