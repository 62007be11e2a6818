ALTER TABLE "order_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "orders" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "saved_designs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "shops" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "order_events_of_orders" ON "order_events" AS PERMISSIVE FOR ALL TO public USING (exists (select from "orders" where "orders"."id" = "order_events"."order_id")) WITH CHECK (exists (select from "orders" where "orders"."id" = "order_events"."order_id"));--> statement-breakpoint
CREATE POLICY "orders_own" ON "orders" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("orders"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("orders"."company_id", '*'));--> statement-breakpoint
CREATE POLICY "orders_to_make" ON "orders" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.maker', true) = "orders"."maker_user_id"::text) WITH CHECK (current_setting('markwright.maker', true) = "orders"."maker_user_id"::text);--> statement-breakpoint
CREATE POLICY "orders_known" ON "orders" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.capability', true) = "orders"."id") WITH CHECK (current_setting('markwright.capability', true) = "orders"."id");--> statement-breakpoint
CREATE POLICY "saved_designs_own" ON "saved_designs" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("saved_designs"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("saved_designs"."company_id", '*'));--> statement-breakpoint
CREATE POLICY "saved_designs_by_id" ON "saved_designs" AS PERMISSIVE FOR SELECT TO public USING (current_setting('markwright.capability', true) = "saved_designs"."id");--> statement-breakpoint
CREATE POLICY "saved_designs_of_no_shop" ON "saved_designs" AS PERMISSIVE FOR INSERT TO public WITH CHECK ("saved_designs"."company_id" is null and current_setting('markwright.capability', true) = "saved_designs"."id");--> statement-breakpoint
CREATE POLICY "saved_designs_of_orders" ON "saved_designs" AS PERMISSIVE FOR SELECT TO public USING (exists (select from "orders" where "orders"."saved_design_id" = "saved_designs"."id"));--> statement-breakpoint
CREATE POLICY "shops_own" ON "shops" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("shops"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("shops"."company_id", '*'));--> statement-breakpoint
CREATE POLICY "shops_by_key" ON "shops" AS PERMISSIVE FOR SELECT TO public USING (current_setting('markwright.capability', true) = "shops"."key");--> statement-breakpoint
CREATE POLICY "webhook_deliveries_own" ON "webhook_deliveries" AS PERMISSIVE FOR ALL TO public USING (current_setting('markwright.company', true) in ("webhook_deliveries"."company_id", '*')) WITH CHECK (current_setting('markwright.company', true) in ("webhook_deliveries"."company_id", '*'));--> statement-breakpoint
-- From here on by hand: what the schema cannot say.
ALTER TABLE "order_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "orders" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "saved_designs" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "shops" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company') THEN
		GRANT SELECT, INSERT, UPDATE, DELETE ON "order_events", "orders", "saved_designs", "shops", "webhook_deliveries" TO markwright_company;
	END IF;
END $$;--> statement-breakpoint
-- Until it is left or the transaction ends, only rows in this reach are there. With no role to work as, the owner's own rows are still bound.
CREATE FUNCTION markwright_enter(company text, maker text, capability text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('markwright.company', company, true), set_config('markwright.maker', maker, true), set_config('markwright.capability', capability, true);
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'markwright_company' AND pg_has_role(current_user, oid, 'MEMBER')) THEN
		SET LOCAL ROLE markwright_company;
	END IF;
END $$;--> statement-breakpoint
CREATE FUNCTION markwright_leave() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('markwright.company', '', true), set_config('markwright.maker', '', true), set_config('markwright.capability', '', true);
	RESET ROLE;
END $$;--> statement-breakpoint
DROP FUNCTION markwright_enter_company(text);
