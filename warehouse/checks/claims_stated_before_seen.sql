-- name: claims_stated_before_seen
-- on: evidence.claims
-- severity: error
-- says: nothing is stated after it was first captured, and no period ends before it starts
SELECT claim_id, stated_on, first_seen, period_start, period_end, value_start, value_end FROM evidence.claims
WHERE stated_on > first_seen::DATE OR period_end < period_start OR value_end < value_start OR value_high < value_low;
