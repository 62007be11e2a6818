CREATE TABLE "maker_photos" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"position" integer NOT NULL,
	"picture_key" text NOT NULL,
	"picture_aspect" double precision NOT NULL,
	"size_bytes" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "makers" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"about" text DEFAULT '' NOT NULL,
	"place" jsonb,
	"lat" double precision,
	"lon" double precision,
	"machines" text[] DEFAULT '{}' NOT NULL,
	"materials" text[] DEFAULT '{}' NOT NULL,
	"delivery" text,
	"turnaround_days" integer,
	"is_listed" boolean DEFAULT false NOT NULL,
	"hidden_at" timestamp with time zone,
	"hidden_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "makers_id_unique" UNIQUE("id")
);
--> statement-breakpoint
ALTER TABLE "maker_photos" ADD CONSTRAINT "maker_photos_user_id_makers_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."makers"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "makers" ADD CONSTRAINT "makers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "maker_photos_user" ON "maker_photos" USING btree ("user_id","position");--> statement-breakpoint
CREATE INDEX "makers_found" ON "makers" USING btree ("lat") WHERE "makers"."is_listed" and "makers"."hidden_at" is null;--> statement-breakpoint
CREATE INDEX "makers_created" ON "makers" USING btree ("created_at","id");