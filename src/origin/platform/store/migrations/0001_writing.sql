ALTER TABLE "content" ADD COLUMN "status_before_trash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "content" ADD COLUMN "slug_before_trash" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "content_post_slug" ON "content" USING btree ("slug") WHERE "content"."type" = 'post' and "content"."slug" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "content_page_slug" ON "content" USING btree ("parent_id","slug") WHERE "content"."type" = 'page' and "content"."slug" <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "content_media_slug" ON "content" USING btree ("slug") WHERE "content"."type" = 'attachment' and "content"."slug" <> '';