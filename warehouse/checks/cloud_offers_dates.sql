-- name: cloud_offers_dates
-- on: facts.cloud_offers
-- severity: error
-- says: an offer is first seen no later than last seen and ends after it was last seen; what is listed now has not ended
SELECT offer_id, first_seen, last_seen, ended_on
FROM facts.cloud_offers
WHERE first_seen > last_seen OR ended_on < last_seen OR first_look > last_look OR (is_listed_now AND ended_on IS NOT NULL)
   OR stated_on > first_seen;
