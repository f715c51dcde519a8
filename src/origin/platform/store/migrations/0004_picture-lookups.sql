CREATE INDEX "content_featured" ON "content" USING btree ("featured_media");--> statement-breakpoint
CREATE INDEX "content_file" ON "content" USING btree ("file");--> statement-breakpoint
CREATE INDEX "content_original" ON "content" USING btree (("media_details" ->> 'original_image'));