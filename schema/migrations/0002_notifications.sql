CREATE TYPE "public"."delivery_state" AS ENUM('pending', 'delivered', 'superseded', 'dead');--> statement-breakpoint
CREATE TYPE "public"."notification_channel" AS ENUM('webhook', 'email', 'telegram', 'push');--> statement-breakpoint
CREATE TYPE "public"."notification_type" AS ENUM('order_filled', 'order_partially_filled', 'order_expired', 'order_cancelled', 'insufficient_balance', 'price_improvement');--> statement-breakpoint
ALTER TYPE "public"."order_event_label" ADD VALUE 'expired';--> statement-breakpoint
ALTER TYPE "public"."order_event_label" ADD VALUE 'undone';--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"notification_id" bigint NOT NULL,
	"subscription_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"is_correction" boolean NOT NULL,
	"state" "delivery_state" DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"type" "notification_type" NOT NULL,
	"key" text NOT NULL,
	"event_id" bigint NOT NULL,
	"block_number" bigint,
	"facts" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retracted_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"dispatched_revision" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signed_nonces" (
	"account" "bytea" NOT NULL,
	"nonce" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "signed_nonces_account_nonce_pk" PRIMARY KEY("account","nonce")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account" "bytea" NOT NULL,
	"signer_chain_id" integer NOT NULL,
	"channel" "notification_channel" NOT NULL,
	"target" text,
	"push_keys" jsonb,
	"types" "notification_type"[] NOT NULL,
	"networks" integer[] NOT NULL,
	"secret" text,
	"confirm_token" text,
	"confirmed_at" timestamp with time zone,
	"unsubscribe_token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"last_delivered_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"pause_reason" text,
	CONSTRAINT "subscriptions_confirm_token" UNIQUE("confirm_token"),
	CONSTRAINT "subscriptions_unsubscribe_token" UNIQUE("unsubscribe_token"),
	CONSTRAINT "subscriptions_once" UNIQUE("account","signer_chain_id","channel","target")
);
--> statement-breakpoint
ALTER TABLE "invalidations" ADD COLUMN "transaction_hash" "bytea";--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "written_by" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "admission_ms" integer;--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "elapsed_ms" integer;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("subscription_id","notification_id","revision");--> statement-breakpoint
CREATE INDEX "deliveries_of_notification" ON "deliveries" USING btree ("notification_id");--> statement-breakpoint
CREATE INDEX "deliveries_select_due" ON "deliveries" USING btree ("next_attempt_at") WHERE "deliveries"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_once" ON "notifications" USING btree ("chain_id","order_uid","type","key");--> statement-breakpoint
CREATE INDEX "notifications_select_account" ON "notifications" USING btree ("account","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notifications_of_event" ON "notifications" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "notifications_retract" ON "notifications" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "notifications_outbox" ON "notifications" USING btree ("id") WHERE "notifications"."dispatched_revision" < "notifications"."revision";--> statement-breakpoint
CREATE INDEX "signed_nonces_delete_expired" ON "signed_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "subscriptions_delete_unconfirmed" ON "subscriptions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "auctions_select_network_status" ON "auctions" USING btree ("chain_id","created_at");--> statement-breakpoint
CREATE INDEX "order_events_select_new_events" ON "order_events" USING btree ("chain_id","written_by","id");--> statement-breakpoint
CREATE INDEX "orders_select_network_status" ON "orders" USING btree ("chain_id","created_at","admission_ms") WHERE "orders"."admission_ms" is not null;--> statement-breakpoint
CREATE INDEX "quotes_select_network_status" ON "quotes" USING btree ("chain_id","created_at","elapsed_ms");--> statement-breakpoint
CREATE INDEX "settlement_attempts_select_network_status" ON "settlement_attempts" USING btree ("chain_id","started_at");--> statement-breakpoint
CREATE INDEX "settlement_attempts_reopen" ON "settlement_attempts" USING btree ("chain_id","end_block");--> statement-breakpoint
CREATE INDEX "settlements_select_network_status" ON "settlements" USING btree ("chain_id","settled_at");