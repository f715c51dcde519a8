CREATE TABLE "seo_head" (
	"type" text NOT NULL,
	"object_id" bigint NOT NULL,
	"digest" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "seo_head_type_object_id_pk" PRIMARY KEY("type","object_id")
);
--> statement-breakpoint
UPDATE "content" SET "meta" = "meta" || jsonb_build_object('_seo_analysed', "modified_gmt"::text)
WHERE "id" IN (
	SELECT "object_id" FROM "seo_record"
	WHERE "type" = 'post' AND NOT "is_analysis_due" AND ("seo_score" > 0 OR "readability_score" > 0 OR "reading_minutes" > 0)
);
--> statement-breakpoint
DELETE FROM "option" WHERE "name" = 'seo-site-heads';
--> statement-breakpoint
DROP TABLE "seo_link";
--> statement-breakpoint
DROP TABLE "seo_record";
