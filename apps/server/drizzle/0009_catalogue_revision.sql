CREATE TABLE "catalogue_revision" (
	"id" integer PRIMARY KEY NOT NULL,
	"revision" uuid NOT NULL
);
--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
INSERT INTO "catalogue_revision" VALUES (1, gen_random_uuid());--> statement-breakpoint
CREATE FUNCTION markwright_renew_catalogue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "catalogue_revision" VALUES (1, gen_random_uuid()) ON CONFLICT (id) DO UPDATE SET revision = excluded.revision;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "products_renew_catalogue" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "products" FOR EACH STATEMENT EXECUTE FUNCTION markwright_renew_catalogue();--> statement-breakpoint
CREATE TRIGGER "categories_renew_catalogue" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "categories" FOR EACH STATEMENT EXECUTE FUNCTION markwright_renew_catalogue();
