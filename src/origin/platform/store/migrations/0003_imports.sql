CREATE TABLE "imported" (
	"source" text NOT NULL,
	"kind" text NOT NULL,
	"source_id" bigint NOT NULL,
	"own_id" bigint NOT NULL,
	"digest" text DEFAULT '' NOT NULL,
	"own_digest" text DEFAULT '' NOT NULL,
	"path" text DEFAULT '' NOT NULL,
	"waiting" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "imported_source_kind_source_id_pk" PRIMARY KEY("source","kind","source_id")
);
--> statement-breakpoint
CREATE INDEX "imported_own" ON "imported" USING btree ("kind","own_id");--> statement-breakpoint
CREATE INDEX "imported_path" ON "imported" USING btree ("source","path");