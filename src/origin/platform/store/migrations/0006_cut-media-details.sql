UPDATE "content" SET "media_details" = (
	SELECT coalesce(jsonb_object_agg("key", CASE WHEN jsonb_typeof("value") = 'string' THEN to_jsonb(left("value" #>> '{}', 1000)) ELSE "value" END), '{}'::jsonb)
	FROM jsonb_each("media_details")
) WHERE "type" = 'attachment' AND octet_length("media_details"::text) > 100000;
