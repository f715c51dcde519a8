CREATE TABLE "recipe" (
	"content_id" bigint PRIMARY KEY NOT NULL,
	"servings" integer NOT NULL
);
