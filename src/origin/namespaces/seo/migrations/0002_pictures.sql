ALTER TABLE "seo_record" ADD COLUMN "pictures" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "seo_record_pictures" ON "seo_record" USING gin ("pictures");--> statement-breakpoint
-- What is stored is followed anew when the origin starts.
UPDATE "seo_record" SET "modified_at" = '1970-01-01' WHERE "type" = 'post';