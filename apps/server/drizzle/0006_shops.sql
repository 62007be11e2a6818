CREATE TABLE "order_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" text NOT NULL,
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_links" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"company_id" text NOT NULL,
	"key" text NOT NULL,
	"saved_design_id" text NOT NULL,
	"made" jsonb NOT NULL,
	"quantity" integer NOT NULL,
	"currency" text NOT NULL,
	"unit_price_cents" integer,
	"contact" jsonb NOT NULL,
	"place" jsonb,
	"routing" text NOT NULL,
	"payer" text NOT NULL,
	"maker_user_id" integer,
	"maker_name" text,
	"asked" integer[] DEFAULT '{}' NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"proof" text DEFAULT 'open' NOT NULL,
	"proof_at" timestamp with time zone,
	"proof_words" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "orders_number_unique" UNIQUE("number")
);
--> statement-breakpoint
CREATE TABLE "shops" (
	"company_id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"allowed_origins" text[] DEFAULT '{}' NOT NULL,
	"checkout" boolean DEFAULT false NOT NULL,
	"routing" text DEFAULT 'own' NOT NULL,
	"routed_maker_id" text,
	"payer" text DEFAULT 'shop' NOT NULL,
	"currency" text DEFAULT 'USD' NOT NULL,
	"default_price_cents" integer,
	"prices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"place" jsonb,
	"webhook_url" text,
	"webhook_secret" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shops_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"company_id" text NOT NULL,
	"order_id" text,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered" integer,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_links" ADD CONSTRAINT "order_links_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_saved_design_id_saved_designs_id_fk" FOREIGN KEY ("saved_design_id") REFERENCES "public"."saved_designs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_maker_user_id_users_id_fk" FOREIGN KEY ("maker_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shops" ADD CONSTRAINT "shops_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_companies_id_fk" FOREIGN KEY ("company_id") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_events_order" ON "order_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "order_links_order" ON "order_links" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_once" ON "orders" USING btree ("company_id","key");--> statement-breakpoint
CREATE INDEX "orders_company" ON "orders" USING btree ("company_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_maker" ON "orders" USING btree ("maker_user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_saved_design" ON "orders" USING btree ("saved_design_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("state","try_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_company" ON "webhook_deliveries" USING btree ("company_id","created_at");