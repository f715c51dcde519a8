CREATE TABLE "store_version" (
	"slot" integer PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL
);
