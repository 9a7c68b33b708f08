-- The written rule of what stands, once: docs/method.md says it in words, `evidence.resolved(day)` applies it to the ledger's
-- claims and `rackledger resolve` to a file of cases. `resolution(relation, ...)` reads a relation of statements:
--   thing        what the statements speak of; with `asked` one case, without one subject, metric and period
--   asked        the qualifiers of the cell that is asked for; null = a cell for each set of qualifiers that is stated
--   as_of        the day to answer for; null = the macro's `day`
--   statement_id, place   name of a statement, and its order in the answer
--   metric, kind, tolerance, requires, related   of registry.metrics; `related` is false where the statement gives another metric
--   value, low, high   in the metric's unit; dates as days since 1970 in low and high, value null; low or high alone is a bound
--   value_text, qualifiers, modality
--   claimant_key, claimant_kind, printer_key, printer_kind   who asserts, who printed it: measured, maker, operator, filing,
--                party, standards, analyst, press, aggregator
--   is_owner     the claimant makes or runs the subject
--   stated_from, stated_to   first and last day of the period that the page gives as its date; null = undated
--   known_from   the first day on which it can be known
--   is_doubtful  its page is a copy, or a reader marked the figure
--   variants     of the subject's variants in the registry those that have this figure

-- Two words for one thing that a qualifier may hold, folded: case, plural and the makers' own names of a format.
CREATE MACRO qualifier_word(name, word) AS CASE
    WHEN word IS NULL OR lower(word) IN ('unstated', '') THEN NULL
    WHEN name = 'per' THEN per_word(lower(word))
    WHEN name = 'precision' THEN regexp_replace(lower(word), '^(nv|mx)', '')
    WHEN name = 'sparsity' THEN CASE WHEN regexp_matches(lower(word), 'dense|without|^no') THEN 'dense' ELSE 'sparse' END
    WHEN name = 'counted_as' THEN regexp_replace(lower(word), 's$', '')
    WHEN name = 'direction' THEN CASE
        WHEN regexp_matches(lower(word), 'both|bi|total|two|full') THEN 'both ways' ELSE 'one way' END
    ELSE name_group(word)
END;

-- The words of a milestone, folded: endings fall off, and full, volume and mass production are one thing.
CREATE MACRO milestone_words(word) AS list_distinct(list_transform(
    list_filter(
        regexp_split_to_array(regexp_replace(lower(word), '(\d),(\d)', '\1\2', 'g'), '[^\p{L}\p{N}]+'),
        lambda w: w NOT IN ('', 'the', 'of', 'a', 'an', 'in', 'at', 'for', 'from', 'first', 'date', 'and', 'to')
    ),
    lambda w: CASE WHEN w IN ('full', 'volume', 'mass') THEN 'mass'
        ELSE regexp_replace(w, '(?:p?ments?|ping|pped|les|ling|isation|ization|ation|able|ability|ions?|ing|ised|ized|es?|ed|e?s|y|eries)$', '') END
));

CREATE MACRO is_ordinal(w) AS regexp_matches(w, '\d|^(second|third|fourth|fifth|sixth|final|last|remain.*)$');

-- How far the words told meet those asked for, from 0 (the same) over 0.5 (one says more) to 1.5 (some in common); null = none.
CREATE MACRO milestone_gap(asked, told) AS CASE
    WHEN list_has_any(list_filter(asked || told, lambda w: NOT (list_contains(asked, w) AND list_contains(told, w))),
                      ['second', 'third', 'fourth', 'fifth', 'sixth']) THEN NULL
    WHEN list_has_all(asked, told) AND list_has_all(told, asked) THEN 0
    WHEN list_has_all(asked, told) OR list_has_all(told, asked) THEN 0.5
    WHEN list_has_any(asked, told)
         AND list_sort(list_filter(asked, lambda w: is_ordinal(w))) = list_sort(list_filter(told, lambda w: is_ordinal(w)))
        THEN 1.5
    WHEN list_has_any(asked, ['sale', 'ship', 'launch', 'availab', 'releas', 'deliver']) AND list_has_any(told, ['sale', 'ship', 'launch', 'availab', 'releas', 'deliver'])
      OR list_has_any(asked, ['oper', 'energ', 'online', 'open', 'live', 'inaugur', 'switch', 'deploy', 'activat', 'servic'])
         AND list_has_any(told, ['oper', 'energ', 'online', 'open', 'live', 'inaugur', 'switch', 'deploy', 'activat', 'servic'])
        THEN CASE WHEN list_has_any(list_filter(asked || told, lambda w: regexp_matches(w, '\d')), asked || told) THEN NULL ELSE 1.5 END
END;

-- What else a statement says it speaks of, beyond what the rule looks at by name: a part, a variant, a region, a period.
CREATE MACRO marks_of(kind, qualifiers) AS list_transform(
    list_filter(map_entries(qualifiers), lambda e: e.value NOT IN ('', 'unstated') AND CASE
        WHEN kind = 'date' THEN e.key IN ('accelerator', 'region', 'product')
        ELSE e.key NOT IN ('bound', 'approx', 'printed_unit', 'ton', 'milestone', 'event', 'stage', 'disputed', 'derived', 'source',
                           'said by', 'said in', 'said at', 'second page')
        END),
    lambda e: {'key': e.key, 'words': CASE WHEN e.key IN ('per', 'precision', 'sparsity', 'direction', 'counted_as')
                                           THEN [qualifier_word(e.key, e.value)]
                                           WHEN e.key = 'memory_type' THEN [regexp_extract(lower(e.value), '^[a-z]+'), lower(e.value)]
                                           ELSE string_split(name_group(e.value)[2:], ' ') END}
);

-- What both say and say differently, the names of it; a fuller name of the same is none.
CREATE MACRO apart_in(marks, others) AS list_transform(list_filter(marks, lambda m: len(list_filter(others,
    lambda o: o.key = m.key AND NOT list_has_all(o.words, m.words) AND NOT list_has_all(m.words, o.words))) > 0), lambda m: m.key);
CREATE MACRO marked_apart(marks, others) AS len(apart_in(marks, others)) > 0;

-- Whether each of two figures is that of a variant, and no variant has both.
CREATE MACRO of_other_variants(variants, others) AS len(variants) > 0 AND len(others) > 0 AND NOT list_has_any(variants, others);

-- Which memory a figure means, all that is built in or what can be used: what it says, else what those who say it call this figure.
CREATE MACRO basis_given(qualifiers, figure) AS {
    'basis': stated(qualifiers, 'memory_basis'), 'per': per_word(stated(qualifiers, 'per')), 'figure': figure
};
CREATE MACRO bases_of(given, per, figure, tolerance) AS list_transform(
    list_filter(given, lambda g: g.per IS NOT DISTINCT FROM per AND abs(g.figure - figure) <= tolerance * figure), lambda g: g.basis
);
CREATE MACRO meant_basis(told, given, tolerance) AS coalesce(
    told.basis, CASE WHEN len(list_distinct(bases_of(given, told.per, told.figure, tolerance))) = 1
                     THEN bases_of(given, told.per, told.figure, tolerance)[1] END
);

-- How far one asked qualifier is missed: 0 met, 1 not stated, between for milestones; null = the statement says another thing.
CREATE MACRO missed(name, asked, told, asked_words, told_words) AS CASE
    WHEN name = 'milestone' THEN CASE WHEN len(told_words) = 0 THEN 1
        ELSE list_min(list_transform(told_words, lambda words: milestone_gap(asked_words, words))) END
    WHEN qualifier_word(name, told[name]) IS NULL THEN 1
    WHEN qualifier_word(name, told[name]) = qualifier_word(name, asked) THEN 0
END;

-- What the last printed digit is worth, seen from the number itself: 83 -> 1, 1440 -> 10, 1.44 -> 0.01.
CREATE MACRO last_digit(x) AS CASE WHEN x = 0 OR x IS NULL THEN 1 ELSE pow(10.0,
    string_split(format('{:.7e}', abs(x)), 'e')[2]::INTEGER
    - length(regexp_replace(rtrim(string_split(format('{:.7e}', abs(x)), 'e')[1], '0'), '^\d\.', ''))
) END;

-- Whether a printed number is `factor` times another to the rounding of either: 22 TB/s are 20.0 TiB/s and so not 20.5.
CREATE MACRO fits_factor(x, x_digit, y, y_digit, factor) AS
    abs(greatest(x, y) / factor - least(x, y)) <= 0.5001 * CASE WHEN x < y THEN greatest(x_digit, y_digit / factor)
                                                                ELSE greatest(y_digit, x_digit / factor) END
    AND abs(greatest(x, y) / factor / least(x, y) - 1) < 0.03;

-- Whether one memory is the other told in powers of two: as GiB, or as thousands of the MiB that a driver shows.
CREATE MACRO is_binary_slip(x, x_digit, y, y_digit) AS
    fits_factor(x, x_digit, y, y_digit, pow(1.024, 3)) OR fits_factor(x, x_digit, y, y_digit, pow(1.024, 2));

-- Whether one value is the other, rounded, or holds it: what a later or another statement may say without contradiction.
CREATE MACRO agrees(kind, tolerance, a_low, a_high, a_digit, b_low, b_high, b_digit) AS CASE
    WHEN kind = 'date' THEN (a_low >= b_low AND a_high <= b_high) OR (b_low >= a_low AND b_high <= a_high)
    -- a figure that lies in a range, or a range in a wider one, contradicts nothing
    WHEN a_high > a_low OR b_high > b_low THEN (a_low >= b_low AND a_high <= b_high) OR (b_low >= a_low AND b_high <= a_high)
    ELSE abs(a_low - b_low) <= greatest(
            tolerance * greatest(abs(a_low), abs(b_low)),
            0.5001 * least(greatest(a_digit, b_digit), 0.1 * greatest(abs(a_low), abs(b_low))))
         AND a_low IS NOT NULL
END;

-- Firmness of a statement: 3 it happened or was measured, 2 said of what there is, 1 promised or expected.
CREATE MACRO firmness(kind, metric, modality, rank, low, high, stated_to) AS CASE
    WHEN modality IN ('cancelled', 'withdrawn') THEN CASE WHEN rank <= 3 THEN 3 ELSE 0 END
    WHEN metric = 'announced_on' AND modality NOT IN ('promised', 'revised', 'expected', 'delayed_report') THEN 3
    WHEN kind <> 'date' THEN CASE WHEN modality IN ('actual', 'in_service', 'deployed', 'measured', 'training_run', 'benchmark_only') THEN 3
                             ELSE 2 END
    WHEN modality IN ('promised', 'revised', 'confirmed', 'expected', 'announced_plan', 'delayed_report', 'denied') THEN 1
    WHEN low > date_diff('day', DATE '1970-01-01', stated_to) THEN 1
    WHEN modality IN ('announced', 'sampling', 'reported') THEN 1
    ELSE 3
END;

-- What kind of page a tag tells of, where the registry does not know the printer.
CREATE MACRO kind_of_tag(tag) AS CASE
    WHEN tag IN ('audited', 'measured') THEN 'measured' WHEN tag = 'operator' THEN 'operator' WHEN tag = 'vendor' THEN 'maker'
    WHEN tag IN ('observed', 'estimated') THEN 'analyst' WHEN tag = 'reported' THEN 'press' ELSE 'aggregator' END;

-- Rank of who asserts: what a thing is, from measured to aggregator.
CREATE MACRO claimant_rank(claimant_kind, is_owner) AS CASE
    WHEN is_owner THEN 2
    WHEN claimant_kind IN ('measured', 'standards') THEN 1
    WHEN claimant_kind IN ('operator', 'filing') THEN 2
    WHEN claimant_kind IN ('maker', 'party') THEN 3
    WHEN claimant_kind = 'analyst' THEN 4
    WHEN claimant_kind = 'press' THEN 5
    ELSE 6
END;

-- What one undated page plans for after the day on which it happened is another event: a second lot, not the first told late.
CREATE MACRO is_beyond(planned, planned_told, happened, happened_told) AS
    planned > happened AND planned_told IS NULL AND happened_told IS NULL;

-- Why a statement differs from the one that stands; named only where the words and, to rounding, the figures allow it.
CREATE MACRO cause_of(c) AS CASE
    WHEN c.equal AND c.other IS NULL AND (c.is_limit = c.t_key.is_limit OR c.kind = 'date') THEN NULL
    WHEN c.stands AND c.replaced_by IS NOT NULL AND c.claimant_key = c.t_claimant THEN 'older statement superseded'
    WHEN c.other = 'sparsity' THEN 'dense or sparse'
    WHEN c.other = 'direction' THEN 'one-way or both-ways'
    WHEN c.other = 'counted_as' OR (c.other = 'per' AND 'die' IN (c.asked['per'], c.qualifiers['per'])) THEN 'package or die'
    WHEN c.other = 'per' THEN 'per what'
    WHEN c.other = 'basis' AND c.qualifiers['basis'] IN ('max', 'design limit') THEN 'limit not value'
    WHEN c.other IS NOT NULL OR c.basis <> c.t_basis THEN 'different thing'
    WHEN NOT c.equal AND list_contains(apart_in(c.marks, c.t_marks), 'sparsity') THEN 'dense or sparse'
    WHEN NOT c.equal AND list_contains(apart_in(c.marks, c.t_marks), 'direction') THEN 'one-way or both-ways'
    WHEN NOT c.equal AND list_contains(apart_in(c.marks, c.t_marks), 'counted_as') THEN 'package or die'
    WHEN NOT c.equal AND list_contains(apart_in(c.marks, c.t_marks), 'per') THEN 'per what'
    WHEN NOT c.equal AND list_contains(apart_in(c.marks, c.t_marks), 'basis') AND c.is_limit AND NOT c.t_key.is_limit THEN 'limit not value'
    WHEN NOT c.equal AND (marked_apart(c.marks, c.t_marks) OR of_other_variants(c.variants, c.t_variants)) THEN 'different thing'
    WHEN c.stands AND c.is_doubtful AND c.claimant_key = c.t_claimant THEN 'altered copy'
    WHEN coalesce(c.event <> c.t_event, false) AND NOT c.same THEN 'different thing'
    WHEN c.kind = 'date' AND NOT c.same AND (c.gap > c.t_key.gap AND c.modality <> 'delayed_report'
                                             OR c.claimant_key = c.t_claimant AND (c.firm > 1 OR is_beyond(c.a, c.stated_to, c.tb, c.t_to))) THEN 'different thing'
    WHEN c.kind <> 'date' AND c.metric = 'compute' AND stated(c.qualifiers, 'sparsity') IS NULL AND (
        fits_factor(c.a, c.digit, c.ta, c.t_digit, 2)
        -- who gives a higher rate with sparsity gives the lower without
        OR c.claimant_key = c.t_claimant AND stated(c.t_qualifiers, 'sparsity') = 'sparse' AND c.a < c.ta) THEN 'dense or sparse'
    -- a port has its rate each way
    WHEN stated(c.qualifiers, 'direction') IS NULL AND c.metric IN ('scale_up_bandwidth', 'scale_out_bandwidth')
         AND coalesce(per_word(c.qualifiers['per']) <> 'port', true) AND fits_factor(c.a, c.digit, c.ta, c.t_digit, 2)
        THEN 'one-way or both-ways'
    WHEN c.metric IN ('accelerator_count', 'scale_up_domain_size', 'units_shipped')
         AND stated(c.qualifiers, 'counted_as') IS NULL AND (fits_factor(c.a, c.digit, c.ta, c.t_digit, 2) OR fits_factor(c.a, c.digit, c.ta, c.t_digit, 4))
        THEN 'package or die'
    WHEN c.metric = 'weight' AND fits_factor(c.a, c.digit, c.ta, c.t_digit, 1.10231) THEN 'tonne or short ton'
    WHEN c.is_limit AND NOT c.t_key.is_limit THEN 'limit not value'
    WHEN c.same THEN 'rounded'
    WHEN c.metric = 'weight' AND fits_factor(c.a, c.digit, c.ta, c.t_digit, 2.20462) THEN 'unit slip'
    WHEN c.kind <> 'date' AND (c.gap > c.t_key.gap OR c.narrower > c.t_key.narrower) THEN 'different thing'
    WHEN c.kind IN ('quantity', 'money') AND fits_factor(c.a, c.digit, c.ta, c.t_digit, 1000) THEN 'unit slip'
    WHEN c.metric LIKE '%bandwidth' AND fits_factor(c.a, c.digit, c.ta, c.t_digit, 8) THEN 'unit slip'
    WHEN c.metric = 'memory_capacity' AND is_binary_slip(c.a, least(c.digit, 1), c.ta, least(c.t_digit, 1)) THEN 'GB/GiB'
    WHEN c.stands AND c.claimant_key = c.t_claimant AND NOT c.is_empty AND c.firm = c.t_firm THEN 'altered copy'
    WHEN c.rank <= 3 AND c.modality IN ('promised', 'expected', 'revised', 'confirmed', 'announced', 'announced_plan')
         AND (c.t_firm = 3 AND c.t_modality <> 'deployed' AND (c.kind = 'date' OR c.modality <> 'announced') OR c.kind = 'date' AND c.stated_to < c.t_from) THEN 'older statement superseded'
    ELSE 'real disagreement'
END;

-- Why a statement does not stand: the first point of the rule at which it falls behind.
CREATE MACRO rank_word(rank) AS ['measured', 'operator or owner', 'maker or party', 'analyst', 'press', 'aggregator'][rank];
CREATE MACRO why_not(c) AS CASE
    WHEN c.other IS NOT NULL THEN 'another thing, by its ' || c.other
    WHEN c.basis <> c.t_basis THEN 'another thing, by its memory_basis'
    WHEN NOT c.equal AND of_other_variants(c.variants, c.t_variants) THEN 'another variant''s figure'
    WHEN c.replaced_by IS NOT NULL THEN 'superseded by its claimant''s later word or by the outcome'
    WHEN c.equal AND NOT (c.is_limit AND NOT c.t_key.is_limit) THEN 'says the same'
    WHEN c.is_hollow AND NOT c.t_key.hollow THEN 'names no value'
    WHEN coalesce(c.gap, 0) > c.t_key.gap THEN 'does not say all that is asked'
    WHEN c.is_limit AND NOT c.t_key.is_limit THEN 'a limit, no value'
    WHEN c.unsaid > c.t_key.unsaid THEN 'leaves open how it is counted'
    WHEN c.firm < c.t_firm THEN 'said before, and what happened or was measured is known'
    WHEN c.narrower > c.t_key.narrower THEN 'speaks of a part'
    WHEN c.stated_to IS NULL AND NOT c.t_key.undated THEN 'undated'
    WHEN (c.is_doubtful OR c.is_slip) AND NOT c.t_key.doubtful THEN 'doubtful: a copy, a slip or marked so'
    WHEN c.rank > c.t_rank THEN 'said by ' || rank_word(c.rank) || ', behind ' || rank_word(c.t_rank)
    WHEN c.same THEN 'the same, rounded or restated'
    WHEN NOT c.stands THEN 'a rival of equal rank'
    WHEN c.printer_rank > c.t_printer_rank THEN 'relayed by a weaker page'
    WHEN c.backing < c.t_backing THEN 'fewer statements say so'
    ELSE 'an older word or a narrower stage'
END;

CREATE MACRO cause_order(cause) AS coalesce(list_position([
    'older statement superseded', 'altered copy', 'unit slip', 'tonne or short ton', 'GB/GiB', 'package or die',
    'dense or sparse', 'one-way or both-ways', 'per what', 'real disagreement', 'limit not value', 'different thing', 'rounded'
], cause), 99);

-- What a figure counts, as 'name=word' in order; and whether one such list says all of another and, beside, only what is needed.
CREATE MACRO topic_list(qualifiers) AS list_sort(list_transform(
    map_entries(topic_of(qualifiers)),
    lambda entry: entry.key || '=' || CASE WHEN entry.key IN ('precision', 'per', 'counted_as') THEN qualifier_word(entry.key, entry.value)
                                           ELSE entry.value END
));
CREATE MACRO says_more(fuller, topic, requires) AS list_has_all(fuller, topic) AND list_has_all(
    requires, list_transform(list_filter(fuller, lambda pair: NOT list_contains(topic, pair)), lambda pair: split_part(pair, '=', 1))
);

CREATE MACRO resolution(relation, day := NULL, subjects := NULL) AS TABLE
WITH known AS MATERIALIZED (
    SELECT *, CASE WHEN kind <> 'date' THEN last_digit(coalesce(low, value, high)) END AS digit,
        list_transform(
            list_filter([stated(qualifiers, 'milestone'), stated(qualifiers, 'event'), stated(qualifiers, 'stage')], lambda w: w IS NOT NULL),
            lambda w: milestone_words(w)) AS told_words,
        marks_of(kind, qualifiers) AS marks, topic_list(qualifiers) AS topic,
        meant_basis(
            basis_given(qualifiers, coalesce(value, low, high)),
            list(basis_given(qualifiers, coalesce(value, low, high))) FILTER (stated(qualifiers, 'memory_basis') IS NOT NULL)
                OVER (PARTITION BY thing),
            tolerance
        ) AS basis
    FROM query_table(relation)
    WHERE (known_from IS NULL OR known_from <= coalesce(day, as_of))
      AND (subjects IS NULL OR list_contains(subjects, subject_id))
),
-- Without a cell asked for, each set of qualifiers that is stated is one, but for those that say less than another of what the
-- metric needs: their figures stand beside the fuller ones, as unqualified.
topics AS (SELECT DISTINCT thing, topic, requires FROM known WHERE asked IS NULL),
outdone AS (
    SELECT DISTINCT t.thing, t.topic FROM topics AS t JOIN topics AS o ON o.thing = t.thing AND len(o.topic) > len(t.topic)
    WHERE says_more(o.topic, t.topic, t.requires)
),
cells AS (
    SELECT DISTINCT thing, thing AS cell, asked, NULL::VARCHAR[] AS topic FROM known WHERE asked IS NOT NULL
    UNION ALL
    SELECT thing, concat_ws('|', thing, list_aggregate(topic, 'string_agg', '; ')),
        map_from_entries(list_transform(topic, lambda pair: {'key': split_part(pair, '=', 1), 'value': split_part(pair, '=', 2)})), topic
    FROM topics ANTI JOIN outdone USING (thing, topic)
),
-- What each claimant is where a page of his own tells it; told as two kinds by as many pages, the weaker.
publishers AS (
    SELECT claimant_key, mode(printer_kind ORDER BY claimant_rank(printer_kind, false) DESC, printer_kind) AS kind FROM known WHERE printer_key = claimant_key GROUP BY claimant_key
),
measured AS MATERIALIZED (
    SELECT
        c.cell, c.asked, s.*,
        list_transform(map_entries(c.asked), lambda e: {'name': e.key, 'gap': missed(e.key, e.value, s.qualifiers, c.asked_words, s.told_words)}) AS gaps,
        claimant_rank(coalesce(p.kind, CASE WHEN s.modality = 'estimated' AND s.claimant_kind = 'party' THEN 'analyst'
                                            WHEN s.modality IN ('delayed_report', 'reported') AND s.claimant_kind = 'party'
                                            THEN 'press' ELSE s.claimant_kind END), s.is_owner) AS rank,
        firmness(s.kind, s.metric, s.modality, rank, s.low, s.high, s.stated_to) AS firm,
        claimant_rank(s.printer_kind, false) AS printer_rank,
        coalesce(s.low, s.value, s.high) AS a, coalesce(s.high, s.value, s.low) AS b,
        -- a window of which one end is told counts as a year's
        CASE WHEN s.value IS NOT NULL THEN 0 WHEN s.low IS NULL OR s.high IS NULL THEN 366 ELSE s.high - s.low END AS width,
        s.metric = 'weight' AND EXISTS (
            FROM known AS o WHERE o.thing = s.thing AND o.value < s.value AND fits_factor(s.value, s.digit, o.value, o.digit, 2.20462)
        ) AS is_slip,
        s.kind <> 'date' AND (
            (s.value IS NULL AND (s.low IS NULL) <> (s.high IS NULL))
            OR coalesce(s.qualifiers['bound'], '') IN ('max', 'min', 'low', 'high')
            OR coalesce(s.qualifiers['basis'], '') = 'design limit' AND coalesce(c.asked['basis'], '') <> 'design limit'
        ) AS is_limit,
        len(list_filter(map_keys(s.qualifiers), lambda k: k IN ('part', 'of', 'workload', 'share', 'support', 'nodes', 'accelerators')
            AND c.asked[k] IS NULL AND stated(s.qualifiers, k) IS NOT NULL))
            + CASE WHEN s.related OR s.kind = 'date' THEN 0 ELSE 1 END AS narrower,
        -- qualifiers that the metric needs and that neither the cell nor the statement names
        len(list_filter(s.requires, lambda q: c.asked[q] IS NULL AND stated(s.qualifiers, q) IS NULL)) AS unsaid,
        c.asked['stage'] IS NULL AND stated(s.qualifiers, 'stage') IS NOT NULL AS is_stage
    FROM (SELECT *, milestone_words(asked['milestone']) AS asked_words FROM cells) AS c
    JOIN known AS s ON s.thing = c.thing AND (c.topic IS NULL OR says_more(c.topic, s.topic, s.requires))
    LEFT JOIN publishers AS p ON p.claimant_key = s.claimant_key
),
placed AS MATERIALIZED (
    SELECT *,
        list_any_value(list_transform(list_filter(gaps, lambda g: g.gap IS NULL), lambda g: g.name)) AS other,
        list_sum(list_transform(gaps, lambda g: g.gap)) AS gap,
        -- a figure that does not say how it is counted cannot stand where that is asked
        len(list_filter(gaps, lambda g: g.gap = 1 AND g.name IN ('precision', 'sparsity', 'direction', 'counted_as'))) > 0 AS is_unqualified,
        a IS NULL AND value_text IS NULL AS is_empty,
        -- without a value only the party's own word counts: cancelled, late without a new date, done without a date
        a IS NULL AND value_text IS NULL AND modality NOT IN ('cancelled', 'withdrawn')
            AND NOT (rank <= 3 AND modality NOT IN ('denied', 'confirmed')) AS is_hollow
    FROM measured
),
-- (a) Within one claimant a later word, or the outcome, replaces an earlier one of another value.
replaced AS MATERIALIZED (
    SELECT e.cell, e.statement_id, arg_min(l.statement_id, (l.firm <> 3, l.place)) AS by_id
    FROM placed AS e JOIN placed AS l ON l.cell = e.cell AND l.claimant_key = e.claimant_key AND l.statement_id <> e.statement_id
    WHERE e.other IS NULL AND l.other IS NULL AND NOT l.is_hollow AND (NOT l.is_empty OR l.modality IN ('cancelled', 'withdrawn', 'revised') OR (l.firm = 3 AND e.firm < 3))
      AND (coalesce(l.gap, 0) = coalesce(e.gap, 0) OR e.kind = 'date' AND coalesce(l.gap, 0) <= coalesce(e.gap, 0)) AND (e.is_limit OR NOT l.is_limit)
      AND NOT l.is_doubtful AND NOT marked_apart(e.marks, l.marks) AND NOT of_other_variants(e.variants, l.variants)
      AND l.narrower <= e.narrower
      -- another's page that gives his figure in a wrong unit slips; he said nothing new
      AND NOT (e.kind IN ('quantity', 'money') AND l.printer_key <> l.claimant_key AND coalesce(l.value > 0 AND e.value > 0, false)
               AND (fits_factor(l.value, l.digit, e.value, e.digit, 1000) OR l.metric LIKE '%bandwidth' AND fits_factor(l.value, l.digit, e.value, e.digit, 8)))
      AND CASE
          -- two words without a value say one thing, unless one calls it off
          WHEN e.is_empty AND l.is_empty AND (e.modality IN ('cancelled', 'withdrawn')) = (l.modality IN ('cancelled', 'withdrawn')) THEN false
          -- a value within an earlier limit keeps to it
          WHEN e.is_limit AND NOT l.is_limit AND CASE WHEN e.high IS NULL AND e.value IS NULL OR e.qualifiers['bound'] IN ('min', 'low')
                                                      THEN l.a >= e.a ELSE l.b <= e.b END THEN false
          WHEN l.firm = 3 AND e.firm < 3 THEN coalesce(l.stated_to >= e.stated_from, true)
               AND NOT (e.kind = 'date' AND e.printer_key = l.printer_key AND is_beyond(e.a, e.stated_to, l.b, l.stated_to))
          WHEN e.firm = 3 AND l.firm < 3 THEN false
          WHEN agrees(e.kind, e.tolerance, e.a, e.b, e.digit, l.a, l.b, l.digit)
              THEN l.stated_from > e.stated_to AND l.width < e.width AND NOT (e.low IS NULL AND e.b = l.b) AND NOT EXISTS (
                  FROM placed AS f WHERE f.cell = l.cell AND f.claimant_key = l.claimant_key AND f.a = l.a AND f.b = l.b
                    AND f.stated_from <= e.stated_to)
          -- what happened, happened once: another day is another event, not a newer word
          WHEN e.kind = 'date' AND l.firm = 3 AND e.firm = 3 AND NOT l.is_empty AND l.modality <> 'revised' THEN false
          ELSE l.stated_from > e.stated_to
              OR (e.stated_to IS NULL AND l.stated_to IS NOT NULL AND e.firm < 2 AND NOT EXISTS (
                  FROM placed AS f WHERE f.cell = l.cell AND f.claimant_key = l.claimant_key AND f.stated_to IS NOT NULL
                    AND agrees(e.kind, e.tolerance, e.a, e.b, e.digit, f.a, f.b, f.digit)))
              OR (l.modality IN ('revised', 'delayed_report') AND e.modality NOT IN ('revised', 'delayed_report') AND coalesce(l.stated_to >= e.stated_from, true))
          END
    GROUP BY ALL
),
-- The order in which statements may stand; equal keys are rivals.
keyed AS MATERIALIZED (
    SELECT p.*, r.by_id AS replaced_by,
        {'replaced': r.by_id IS NOT NULL, 'hollow': is_hollow, 'gap': coalesce(gap, 0), 'is_limit': is_limit, 'unsaid': unsaid, 'firm': -firm, 'narrower': narrower,
         'undated': stated_to IS NULL, 'doubtful': is_doubtful OR is_slip, 'rank': rank} AS key
    FROM placed AS p LEFT JOIN replaced AS r USING (cell, statement_id)
),
best AS MATERIALIZED (
    SELECT cell, min(key) AS key FROM keyed
    WHERE other IS NULL AND NOT is_unqualified GROUP BY cell
),
rivals AS MATERIALIZED (
    SELECT k.* FROM keyed AS k JOIN best AS b USING (cell, key)
    WHERE k.other IS NULL AND NOT k.is_unqualified
),
-- Among equals the exact before the rounded, then the page nearest to the claimant, then what more statements say.
backed AS MATERIALIZED (
    SELECT r.cell, r.statement_id,
        count(*) FILTER (agrees(r.kind, r.tolerance, r.a, r.b, r.digit, k.a, k.b, k.digit)) AS backing,
        bool_and(agrees(r.kind, r.tolerance, r.a, r.b, r.digit, k.a, k.b, k.digit)) FILTER (k.key = r.key) AS agrees_with_all
    FROM rivals AS r JOIN keyed AS k ON k.cell = r.cell AND k.other IS NULL
    GROUP BY ALL
),
ranked AS (
    SELECT r.cell, r.statement_id, n.backing, n.agrees_with_all,
        row_number() OVER (
            PARTITION BY r.cell ORDER BY
                CASE WHEN n.agrees_with_all THEN 0 ELSE 1 END,
                CASE WHEN n.agrees_with_all THEN r.width END, CASE WHEN n.agrees_with_all THEN r.digit END,
                r.is_stage,
                CASE WHEN r.kind = 'date' AND r.firm = 1 AND r.rank <= 3 THEN r.stated_from END DESC NULLS LAST,
                r.printer_rank, n.backing DESC, r.stated_from DESC NULLS LAST, r.place
        ) AS position
    FROM rivals AS r JOIN backed AS n USING (cell, statement_id)
),
-- A window is counted over a few columns, and the rest of a row joined to it: DuckDB keeps a window's rows whole in memory.
chosen AS MATERIALIZED (
    SELECT r.*, n.backing, n.agrees_with_all, n.position FROM rivals AS r JOIN ranked AS n USING (cell, statement_id)
),
-- (f) No pick where a rival of another value is as good.
standing AS MATERIALIZED (
    SELECT t.* FROM chosen AS t
    WHERE t.position = 1 AND NOT EXISTS (
        FROM chosen AS o WHERE o.cell = t.cell AND o.position > 1 AND NOT agrees(t.kind, t.tolerance, t.a, t.b, t.digit, o.a, o.b, o.digit)
          AND coalesce(t.value_text <> o.value_text, true)
          AND NOT (t.a IS NULL AND o.a IS NULL AND t.value_text IS NULL)
          AND (o.is_stage::INTEGER, o.printer_rank, -o.backing) <= (t.is_stage::INTEGER, t.printer_rank, -t.backing)
          AND NOT (t.kind = 'date' AND t.firm = 1 AND t.rank <= 3 AND t.claimant_key <> o.claimant_key AND t.stated_from > o.stated_to)
    )
    -- an outcome that a reader marked as doubted, against a third party who says otherwise
    AND NOT (t.firm = 3 AND t.is_doubtful AND EXISTS (
        FROM keyed AS o WHERE o.cell = t.cell AND o.other IS NULL AND NOT o.is_doubtful AND o.claimant_key <> t.claimant_key
          AND o.rank > 3 AND NOT agrees(t.kind, t.tolerance, t.a, t.b, t.digit, o.a, o.b, o.digit)
    ))
),
-- Each other statement against the one that stands (or, without one, the first of the rivals).
compared AS MATERIALIZED (
    SELECT k.*, t.statement_id AS over_id, t.a AS ta, t.digit AS t_digit, t.b AS tb, t.claimant_key AS t_claimant, t.key AS t_key, t.firm AS t_firm, t.modality AS t_modality, t.rank AS t_rank,
        n.backing, t.backing AS t_backing, t.is_stage AS t_is_stage, t.width AS t_width,
        stated(k.qualifiers, 'event') AS event, stated(t.qualifiers, 'event') AS t_event, t.qualifiers AS t_qualifiers, t.marks AS t_marks, t.variants AS t_variants, t.stated_from AS t_from, t.stated_to AS t_to, t.printer_rank AS t_printer_rank, t.basis AS t_basis, s.statement_id IS NOT NULL AS stands,
        agrees(k.kind, k.tolerance, k.a, k.b, k.digit, t.a, t.b, t.digit) AS same,
        coalesce((k.a = t.a OR k.kind = 'date' AND (k.low IS NULL OR t.low IS NULL)) AND k.b = t.b, false)
            OR k.is_empty AND t.is_empty AND k.modality = t.modality
            OR k.is_empty AND (k.modality = 'confirmed' OR k.modality = 'denied' AND k.claimant_key = t.claimant_key) AS equal
    FROM keyed AS k JOIN chosen AS t ON t.cell = k.cell AND t.position = 1
    LEFT JOIN standing AS s ON s.cell = k.cell
    LEFT JOIN backed AS n ON n.cell = k.cell AND n.statement_id = k.statement_id
    WHERE k.statement_id <> t.statement_id
),
explained AS MATERIALIZED (
    SELECT *, stands AND replaced_by IS NOT NULL AND claimant_key = t_claimant AS is_superseded,
        cause_of(compared) AS cause, why_not(compared) AS why
    FROM compared
),
verdicts AS (
    SELECT cell,
        list(statement_id ORDER BY place) FILTER (is_superseded) AS superseded,
        list({'statement_id': statement_id, 'why': why, 'cause': cause} ORDER BY place, statement_id) AS losers,
        arg_min(cause, cause_order(cause)) FILTER (cause IS NOT NULL) AS cause,
        string_agg(DISTINCT why, '; ' ORDER BY why) AS whys
    FROM explained GROUP BY cell
)
SELECT
    c.cell, t.thing, t.asked, s.statement_id AS stands,
    CASE WHEN s.statement_id IS NULL THEN t.statement_id END AS first_rival,
    coalesce(v.superseded, []) AS superseded, v.cause, coalesce(v.losers, []) AS losers,
    CASE WHEN t.cell IS NULL THEN 'no statement answers what is asked'
         WHEN s.statement_id IS NULL THEN 'disputed: statements of equal rank disagree'
         WHEN v.whys IS NULL THEN 'the only statement known'
         ELSE 'the others: ' || v.whys END AS reason
FROM (SELECT DISTINCT cell FROM cells) AS c
LEFT JOIN (FROM chosen WHERE position = 1) AS t USING (cell)
LEFT JOIN standing AS s USING (cell) LEFT JOIN verdicts AS v USING (cell);
