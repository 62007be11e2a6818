CREATE TABLE "storage_totals" (
	"scope" text NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"files" integer NOT NULL,
	CONSTRAINT "storage_totals_scope_name_pk" PRIMARY KEY("scope","name")
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"owner" text NOT NULL,
	"payer" text NOT NULL,
	"bytes" bigint NOT NULL,
	"used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "designs" ADD COLUMN "opened_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "storage_totals_largest" ON "storage_totals" USING btree ("scope","bytes" DESC NULLS LAST,"name");--> statement-breakpoint
CREATE INDEX "stored_files_owner" ON "stored_files" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "stored_files_payer" ON "stored_files" USING btree ("payer","key");--> statement-breakpoint
CREATE INDEX "stored_files_kind" ON "stored_files" USING btree ("kind","used_at");--> statement-breakpoint
CREATE INDEX "designs_opened" ON "designs" USING btree ("opened_at") WHERE "designs"."guest_id" is not null;--> statement-breakpoint
-- What is there already is counted at once as far as the database knows it; the next sweep counts the rest on the disk.
-- The network of earlier guests is not known: together they fill one share, and that of all guests.
INSERT INTO "stored_files" ("key", "kind", "owner", "payer", "bytes", "used_at")
	SELECT "original_key", 'uploads', coalesce('user:' || "user_id", 'guest:' || "guest_id"),
		coalesce('user:' || "user_id", 'network:earlier'), "size_bytes", "created_at"
	FROM "designs" ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "storage_totals" ("scope", "name", "bytes", "files")
	SELECT 'payer', "payer", sum("bytes"), count(*) FROM "stored_files" GROUP BY "payer"
	UNION ALL SELECT 'kind', "kind", sum("bytes"), count(*) FROM "stored_files" GROUP BY "kind"
	UNION ALL SELECT 'pool', 'all', sum("bytes"), count(*) FROM "stored_files" HAVING count(*) > 0
	UNION ALL SELECT 'pool', 'guests', sum("bytes"), count(*) FROM "stored_files" WHERE "payer" LIKE 'network:%' HAVING count(*) > 0;
