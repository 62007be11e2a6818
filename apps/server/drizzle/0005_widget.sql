CREATE TABLE "saved_designs" (
	"id" text PRIMARY KEY NOT NULL,
	"company_id" text,
	"composition" jsonb NOT NULL,
	"product" jsonb NOT NULL,
	"artwork" jsonb,
	"line" jsonb NOT NULL,
	"picture_key" text NOT NULL,
	"ordered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "saved_designs" ADD CONSTRAINT "saved_designs_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_designs_company" ON "saved_designs" USING btree ("company_id");--> statement-breakpoint
CREATE INDEX "saved_designs_created" ON "saved_designs" USING btree ("created_at");