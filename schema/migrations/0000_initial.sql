CREATE TYPE "public"."affiliate_role" AS ENUM('affiliate', 'trader');
--> statement-breakpoint
CREATE TYPE "public"."buy_token_balance" AS ENUM('erc20', 'internal');
--> statement-breakpoint
CREATE TYPE "public"."delivery_state" AS ENUM('pending', 'delivered', 'superseded', 'dead');
--> statement-breakpoint
CREATE TYPE "public"."fee_policy_kind" AS ENUM('surplus', 'volume', 'priceImprovement');
--> statement-breakpoint
CREATE TYPE "public"."notification_channel" AS ENUM('webhook', 'email', 'telegram', 'push');
--> statement-breakpoint
CREATE TYPE "public"."notification_type" AS ENUM('order_filled', 'order_partially_filled', 'order_expired', 'order_cancelled', 'insufficient_balance', 'price_improvement');
--> statement-breakpoint
CREATE TYPE "public"."order_class" AS ENUM('market', 'limit', 'liquidity');
--> statement-breakpoint
CREATE TYPE "public"."order_event_label" AS ENUM('created', 'ready', 'filtered', 'invalid', 'executing', 'considered', 'traded', 'cancelled', 'expired', 'undone');
--> statement-breakpoint
CREATE TYPE "public"."order_kind" AS ENUM('sell', 'buy');
--> statement-breakpoint
CREATE TYPE "public"."placement_error" AS ENUM('preValidationError', 'nonZeroFee', 'other', 'reorged');
--> statement-breakpoint
CREATE TYPE "public"."quote_kind" AS ENUM('standard', 'eip1271onchainorder', 'presignonchainorder');
--> statement-breakpoint
CREATE TYPE "public"."sell_token_balance" AS ENUM('erc20', 'internal', 'external');
--> statement-breakpoint
CREATE TYPE "public"."signing_scheme" AS ENUM('eip712', 'ethsign', 'presign', 'eip1271');
--> statement-breakpoint
CREATE SEQUENCE "public"."auction_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
--> statement-breakpoint
-- Positions of order events are transaction numbers of the cluster plus this offset. It is a constant in the text of a
-- function, so that it costs nothing to read and a dump contains it. Stable functions are inlined, and plans that contain them
-- are made again when they change; immutable ones would be evaluated once per plan.
CREATE FUNCTION public.order_log_offset() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS 'select 0::bigint';
--> statement-breakpoint
CREATE FUNCTION public.order_log_position(transaction xid8) RETURNS xid8 LANGUAGE sql STABLE PARALLEL SAFE AS
'select (transaction::text::bigint + public.order_log_offset())::text::xid8';
--> statement-breakpoint
CREATE TABLE "affiliate_payouts" (
	"wallet_address" "bytea" NOT NULL,
	"role" "affiliate_role" NOT NULL,
	"chain_id" integer NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"amount" numeric(20, 6) NOT NULL,
	"paid_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "affiliate_payouts_wallet_address_role_chain_id_transaction_hash_pk" PRIMARY KEY("wallet_address","role","chain_id","transaction_hash"),
	CONSTRAINT "affiliate_payouts_amount" CHECK ("affiliate_payouts"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "affiliates" (
	"wallet_address" "bytea" PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"signed_message" "bytea" NOT NULL,
	"signed_message_hash" "bytea" NOT NULL,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reward_amount" double precision NOT NULL,
	"trigger_volume" double precision NOT NULL,
	"time_cap_days" integer NOT NULL,
	"volume_cap" double precision NOT NULL,
	"revenue_split_affiliate_pct" double precision NOT NULL,
	"revenue_split_trader_pct" double precision NOT NULL,
	"revenue_split_dao_pct" double precision NOT NULL,
	CONSTRAINT "affiliates_code" UNIQUE("code"),
	CONSTRAINT "affiliates_signed_message" UNIQUE("signed_message_hash")
);
--> statement-breakpoint
CREATE TABLE "carried_trades" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"trader" "bytea" NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"price" numeric,
	"referrer_code" text,
	"order_created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "carried_trades_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "referred_hours" (
	"trader" "bytea" NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"chain_id" integer NOT NULL,
	"code" text NOT NULL,
	"is_registered" boolean NOT NULL,
	"first_settled_at" timestamp with time zone NOT NULL,
	"first_block" bigint NOT NULL,
	"first_log_index" integer NOT NULL,
	"last_block" bigint NOT NULL,
	"value" numeric,
	"trades" integer,
	"valued_trades" integer,
	CONSTRAINT "referred_hours_trader_hour_chain_id_code_is_registered_pk" PRIMARY KEY("trader","hour","chain_id","code","is_registered")
);
--> statement-breakpoint
CREATE TABLE "trade_carries" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"block" bigint DEFAULT -1 NOT NULL,
	"undone" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"chain_id" integer NOT NULL,
	"key" text NOT NULL,
	"crossed_at" timestamp with time zone NOT NULL,
	"alerts" integer NOT NULL,
	"alerted_at" timestamp with time zone,
	CONSTRAINT "alarms_chain_id_key_pk" PRIMARY KEY("chain_id","key")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"value" text,
	"crossed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "auction_entries" (
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"entered_auction_id" bigint NOT NULL,
	"left_auction_id" bigint,
	"body" json,
	CONSTRAINT "auction_entries_chain_id_order_uid_entered_auction_id_pk" PRIMARY KEY("chain_id","order_uid","entered_auction_id")
);
--> statement-breakpoint
CREATE TABLE "auctions" (
	"chain_id" integer NOT NULL,
	"id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"deadline_block" bigint NOT NULL,
	"order_count" integer,
	"prices" jsonb NOT NULL,
	"left_out" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"archive_key" text,
	"solution_count" integer,
	"losing_orders" bigint[],
	CONSTRAINT "auctions_chain_id_id_pk" PRIMARY KEY("chain_id","id")
);
--> statement-breakpoint
CREATE TABLE "current_auctions" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"prices" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fee_policies" (
	"chain_id" integer NOT NULL,
	"auction_id" bigint NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"application_order" integer NOT NULL,
	"kind" "fee_policy_kind" NOT NULL,
	"surplus_factor" double precision,
	"surplus_max_volume_factor" double precision,
	"volume_factor" double precision,
	"price_improvement_factor" double precision,
	"price_improvement_max_volume_factor" double precision,
	CONSTRAINT "fee_policies_chain_id_auction_id_order_uid_application_order_pk" PRIMARY KEY("chain_id","auction_id","order_uid","application_order")
);
--> statement-breakpoint
CREATE TABLE "solution_orders" (
	"chain_id" integer NOT NULL,
	"auction_id" bigint NOT NULL,
	"solution_uid" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"side" "order_kind" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"limit_sell" numeric(78, 0) NOT NULL,
	"limit_buy" numeric(78, 0) NOT NULL,
	"executed_sell" numeric(78, 0) NOT NULL,
	"executed_buy" numeric(78, 0) NOT NULL,
	"protocol_fees" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "solution_orders_chain_id_auction_id_solution_uid_order_uid_pk" PRIMARY KEY("chain_id","auction_id","solution_uid","order_uid")
);
--> statement-breakpoint
CREATE TABLE "solutions" (
	"chain_id" integer NOT NULL,
	"auction_id" bigint NOT NULL,
	"uid" integer NOT NULL,
	"solution_id" bigint NOT NULL,
	"solver" "bytea" NOT NULL,
	"is_winner" boolean NOT NULL,
	"filtered_out" boolean NOT NULL,
	"score" numeric(78, 0) NOT NULL,
	"reference_score" numeric(78, 0),
	CONSTRAINT "solutions_chain_id_auction_id_uid_pk" PRIMARY KEY("chain_id","auction_id","uid")
);
--> statement-breakpoint
CREATE TABLE "blocks" (
	"chain_id" integer NOT NULL,
	"number" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	CONSTRAINT "blocks_chain_id_number_pk" PRIMARY KEY("chain_id","number")
);
--> statement-breakpoint
CREATE TABLE "invalidations" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	CONSTRAINT "invalidations_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "order_placements" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"contract" "bytea" NOT NULL,
	"sender" "bytea" NOT NULL,
	"user_valid_to" bigint,
	"error" "placement_error",
	"placed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_placements_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "order_refunds" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	CONSTRAINT "order_refunds_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "presignatures" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"owner" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"signed" boolean NOT NULL,
	CONSTRAINT "presignatures_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "price_samples" (
	"chain_id" integer NOT NULL,
	"token" "bytea" NOT NULL,
	"sampled_at" timestamp with time zone NOT NULL,
	"price" double precision NOT NULL,
	CONSTRAINT "price_samples_chain_id_token_sampled_at_pk" PRIMARY KEY("chain_id","token","sampled_at")
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"decimals" integer NOT NULL,
	"symbol" text,
	CONSTRAINT "tokens_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "yield_pools" (
	"chain_id" integer NOT NULL,
	"id" text NOT NULL,
	"contract_address" "bytea",
	"project" text NOT NULL,
	"apr" double precision NOT NULL,
	"fee" double precision,
	"tvl" double precision NOT NULL,
	"volume" double precision,
	CONSTRAINT "yield_pools_chain_id_id_pk" PRIMARY KEY("chain_id","id")
);
--> statement-breakpoint
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
CREATE TABLE "app_data" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"full_app_data" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"key" text NOT NULL,
	"label" "order_event_label" NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"auction_id" bigint,
	"block_number" bigint,
	"data" jsonb,
	"written_by" "xid8" DEFAULT order_log_position(pg_current_xact_id()) NOT NULL,
	"archive_part" "bytea"
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"chain_id" integer NOT NULL,
	"uid" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"receiver" "bytea",
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"valid_to" bigint NOT NULL,
	"valid_from" bigint,
	"app_data_hash" "bytea" NOT NULL,
	"fee_amount" numeric(78, 0) NOT NULL,
	"kind" "order_kind" NOT NULL,
	"partially_fillable" boolean NOT NULL,
	"sell_token_balance" "sell_token_balance" NOT NULL,
	"buy_token_balance" "buy_token_balance" NOT NULL,
	"signing_scheme" "signing_scheme" NOT NULL,
	"signature" "bytea" NOT NULL,
	"settlement_contract" "bytea" NOT NULL,
	"pre_interactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"post_interactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"class" "order_class" NOT NULL,
	"partner_fees" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"referrer_code" text,
	"quote_id" bigint,
	"full_balance_check" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"jit_block" bigint,
	"onchain_user" "bytea",
	"user_valid_to" bigint,
	"placement_error" "placement_error",
	"quote_not_found" boolean DEFAULT false NOT NULL,
	"available_balance" numeric(78, 0),
	"refund_transaction_hash" "bytea",
	"cancelled_at" timestamp with time zone,
	"invalidated" boolean DEFAULT false NOT NULL,
	"presigned" boolean DEFAULT false NOT NULL,
	"executed_sell_amount" numeric(78, 0) DEFAULT 0 NOT NULL,
	"executed_buy_amount" numeric(78, 0) DEFAULT 0 NOT NULL,
	"executed_fee_amount" numeric(78, 0) DEFAULT 0 NOT NULL,
	"executed_fee" numeric(78, 0) DEFAULT 0 NOT NULL,
	"admission_ms" integer,
	"submitted_by" "bytea",
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "orders_chain_id_uid_pk" PRIMARY KEY("chain_id","uid")
);
--> statement-breakpoint
CREATE TABLE "order_quotes" (
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"quote_id" bigint NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"gas_amount" numeric(78, 0) NOT NULL,
	"gas_price" numeric(78, 0) NOT NULL,
	"sell_token_price" double precision NOT NULL,
	"fee_amount" numeric(78, 0) NOT NULL,
	"solver" "bytea" NOT NULL,
	"verified" boolean NOT NULL,
	"metadata" jsonb NOT NULL,
	CONSTRAINT "order_quotes_chain_id_order_uid_pk" PRIMARY KEY("chain_id","order_uid")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quotes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain_id" integer NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"kind" "order_kind" NOT NULL,
	"quote_kind" "quote_kind" NOT NULL,
	"gas_amount" numeric(78, 0) NOT NULL,
	"gas_price" numeric(78, 0) NOT NULL,
	"sell_token_price" double precision NOT NULL,
	"fee_amount" numeric(78, 0) NOT NULL,
	"offered_sell_amount" numeric(78, 0),
	"offered_buy_amount" numeric(78, 0),
	"solver" "bytea" NOT NULL,
	"verified" boolean NOT NULL,
	"metadata" jsonb NOT NULL,
	"elapsed_ms" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_surplus" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"through_block" bigint NOT NULL,
	"total" numeric NOT NULL,
	CONSTRAINT "account_surplus_chain_id_account_pk" PRIMARY KEY("chain_id","account")
);
--> statement-breakpoint
CREATE TABLE "executions" (
	"chain_id" integer NOT NULL,
	"auction_id" bigint NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"block_number" bigint NOT NULL,
	"executed_fee" numeric(78, 0) NOT NULL,
	"executed_fee_token" "bytea" NOT NULL,
	"protocol_fees" jsonb NOT NULL,
	CONSTRAINT "executions_chain_id_auction_id_order_uid_pk" PRIMARY KEY("chain_id","auction_id","order_uid")
);
--> statement-breakpoint
CREATE TABLE "settlement_attempts" (
	"chain_id" integer NOT NULL,
	"auction_id" bigint NOT NULL,
	"solution_uid" integer NOT NULL,
	"solver" "bytea" NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"start_block" bigint NOT NULL,
	"deadline_block" bigint NOT NULL,
	"ended_at" timestamp with time zone,
	"end_block" bigint,
	"outcome" text,
	"undone_from" bigint,
	CONSTRAINT "settlement_attempts_chain_id_auction_id_solution_uid_pk" PRIMARY KEY("chain_id","auction_id","solution_uid")
);
--> statement-breakpoint
CREATE TABLE "settlement_failures" (
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"solver" "bytea" NOT NULL,
	"account" "bytea" NOT NULL,
	"failures" integer NOT NULL,
	"reverts" integer DEFAULT 0 NOT NULL,
	"last_outcome" text NOT NULL,
	"last_block" bigint NOT NULL,
	"last_revert_block" bigint,
	"failed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settlement_failures_chain_id_order_uid_solver_pk" PRIMARY KEY("chain_id","order_uid","solver")
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"settled_at" timestamp with time zone DEFAULT now() NOT NULL,
	"solver" "bytea" NOT NULL,
	"auction_id" bigint,
	"solution_uid" integer,
	"mismatch" jsonb,
	"gas_used" numeric(78, 0) NOT NULL,
	"effective_gas_price" numeric(78, 0) NOT NULL,
	CONSTRAINT "settlements_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "solver_suspensions" (
	"chain_id" integer NOT NULL,
	"solver" "bytea" NOT NULL,
	"auction_id" bigint NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"failures" integer NOT NULL,
	"level" integer NOT NULL,
	CONSTRAINT "solver_suspensions_chain_id_solver_auction_id_pk" PRIMARY KEY("chain_id","solver","auction_id")
);
--> statement-breakpoint
CREATE TABLE "trades" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"fee_amount" numeric(78, 0) NOT NULL,
	"settlement_log_index" integer NOT NULL,
	CONSTRAINT "trades_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "trade_values" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"trader" "bytea" NOT NULL,
	"solver" "bytea" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"volume" numeric,
	"surplus" numeric,
	CONSTRAINT "trade_values_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "carried_trades_of_trader" ON "carried_trades" USING btree ("chain_id","trader","block_number","log_index");
--> statement-breakpoint
CREATE INDEX "referred_hours_of_code" ON "referred_hours" USING btree ("code","trader") WHERE "referred_hours"."is_registered";
--> statement-breakpoint
CREATE INDEX "referred_hours_delete_from_block" ON "referred_hours" USING btree ("chain_id","last_block");
--> statement-breakpoint
CREATE INDEX "referred_hours_sum" ON "referred_hours" USING btree ("chain_id","hour") WHERE "referred_hours"."value" is null;
--> statement-breakpoint
CREATE INDEX "alerts_due" ON "alerts" USING btree ("next_attempt_at") WHERE "alerts"."sent_at" is null;
--> statement-breakpoint
CREATE INDEX "auction_entries_select_members" ON "auction_entries" USING gist (int8range("entered_auction_id", greatest("entered_auction_id", coalesce("left_auction_id", 9223372036854775807))));
--> statement-breakpoint
CREATE INDEX "auction_entries_select_open" ON "auction_entries" USING btree ("chain_id","order_uid") WHERE "auction_entries"."left_auction_id" is null;
--> statement-breakpoint
CREATE INDEX "auctions_select_network_status" ON "auctions" USING btree ("chain_id","created_at");
--> statement-breakpoint
CREATE INDEX "auctions_select_archivable" ON "auctions" USING btree ("chain_id","id") WHERE "auctions"."archive_key" is null;
--> statement-breakpoint
CREATE INDEX "auctions_select_lost_with_order" ON "auctions" USING gin ("losing_orders") WITH (fastupdate=false) WHERE "auctions"."archive_key" is not null;
--> statement-breakpoint
CREATE INDEX "solution_orders_select_order_solutions" ON "solution_orders" USING btree ("chain_id","order_uid","auction_id");
--> statement-breakpoint
CREATE INDEX "solutions_select_solver_statistics" ON "solutions" USING btree ("chain_id","auction_id","solver","is_winner");
--> statement-breakpoint
CREATE INDEX "invalidations_of_order" ON "invalidations" USING btree ("chain_id","order_uid");
--> statement-breakpoint
CREATE INDEX "order_placements_of_order" ON "order_placements" USING btree ("chain_id","order_uid","block_number","log_index");
--> statement-breakpoint
CREATE INDEX "order_refunds_of_order" ON "order_refunds" USING btree ("chain_id","order_uid");
--> statement-breakpoint
CREATE INDEX "presignatures_newest_of_order" ON "presignatures" USING btree ("chain_id","order_uid","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "price_samples_delete_old" ON "price_samples" USING btree ("chain_id","sampled_at");
--> statement-breakpoint
CREATE INDEX "yield_pools_select_yield_pools" ON "yield_pools" USING btree ("chain_id","contract_address");
--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("subscription_id","notification_id","revision");
--> statement-breakpoint
CREATE INDEX "deliveries_of_notification" ON "deliveries" USING btree ("notification_id");
--> statement-breakpoint
CREATE INDEX "deliveries_replay" ON "deliveries" USING btree ("subscription_id","id") WHERE "deliveries"."state" = 'dead';
--> statement-breakpoint
CREATE INDEX "deliveries_delete_old" ON "deliveries" USING btree ("created_at") WHERE "deliveries"."state" <> 'pending';
--> statement-breakpoint
CREATE INDEX "deliveries_select_due" ON "deliveries" USING btree ("next_attempt_at") WHERE "deliveries"."state" = 'pending';
--> statement-breakpoint
CREATE UNIQUE INDEX "notifications_once" ON "notifications" USING btree ("chain_id","order_uid","type","key");
--> statement-breakpoint
CREATE INDEX "notifications_select_account" ON "notifications" USING btree ("account","id" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "notifications_select_filtered" ON "notifications" USING btree ("account","chain_id","type","id" DESC NULLS LAST) WHERE "notifications"."retracted_at" is null;
--> statement-breakpoint
CREATE INDEX "notifications_of_event" ON "notifications" USING btree ("event_id");
--> statement-breakpoint
CREATE INDEX "notifications_retract" ON "notifications" USING btree ("chain_id","block_number");
--> statement-breakpoint
CREATE INDEX "notifications_outbox" ON "notifications" USING btree ("id") WHERE "notifications"."dispatched_revision" < "notifications"."revision";
--> statement-breakpoint
CREATE INDEX "signed_nonces_delete_expired" ON "signed_nonces" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "subscriptions_delete_unconfirmed" ON "subscriptions" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "subscriptions_of_target" ON "subscriptions" USING btree ("target","channel");
--> statement-breakpoint
CREATE UNIQUE INDEX "order_events_once" ON "order_events" USING btree ("chain_id","order_uid","key");
--> statement-breakpoint
CREATE INDEX "order_events_select_order_events" ON "order_events" USING btree ("chain_id","order_uid","id");
--> statement-breakpoint
CREATE INDEX "order_events_select_new_events" ON "order_events" USING btree ("chain_id","written_by","id");
--> statement-breakpoint
CREATE INDEX "order_events_delete_from_block" ON "order_events" USING btree ("chain_id","block_number");
--> statement-breakpoint
CREATE INDEX "order_events_select_archivable" ON "order_events" USING btree ("chain_id","created_at","id") WHERE "order_events"."label" = 'created' and "order_events"."archive_part" is null;
--> statement-breakpoint
CREATE INDEX "orders_newest_of_owner" ON "orders" USING btree ("chain_id","owner","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("chain_id","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX "orders_newest_in_state" ON "orders" USING btree ("chain_id",(case when case "kind" when 'sell' then "executed_sell_amount" - "executed_fee_amount" >= "sell_amount"
    else "executed_buy_amount" >= "buy_amount" end then 'fulfilled'
    when "cancelled_at" is not null or "invalidated" then 'cancelled'
    when "signing_scheme" = 'presign' and not "presigned" then 'pending' else 'signed' end),"created_at" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "orders_newest_selling" ON "orders" USING btree ("chain_id","sell_token","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX "orders_newest_buying" ON "orders" USING btree ("chain_id","buy_token","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX "orders_select_unsigned_orders" ON "orders" USING btree ("chain_id","owner","created_at" DESC NULLS LAST,"uid") WHERE "orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null;
--> statement-breakpoint
CREATE INDEX "orders_count_unsigned_of_client" ON "orders" USING btree ("chain_id","submitted_by","valid_to") WHERE "orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null;
--> statement-breakpoint
CREATE INDEX "orders_count_unsigned" ON "orders" USING btree ("chain_id","valid_to") WHERE "orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null;
--> statement-breakpoint
CREATE INDEX "orders_count_open_orders" ON "orders" USING btree ("chain_id","owner","valid_to","class") WHERE ("orders"."signing_scheme" <> 'presign' or "orders"."presigned") and "orders"."onchain_user" is null and "orders"."jit_block" is null
    and "orders"."cancelled_at" is null and not "orders"."invalidated" and case "orders"."kind"
    when 'sell' then "orders"."executed_sell_amount" - "orders"."executed_fee_amount" < "orders"."sell_amount"
    else "orders"."executed_buy_amount" < "orders"."buy_amount" end;
--> statement-breakpoint
CREATE INDEX "orders_delete_from_block" ON "orders" USING btree ("chain_id","jit_block") WHERE "orders"."jit_block" is not null;
--> statement-breakpoint
CREATE INDEX "orders_select_onchain_orders" ON "orders" USING btree ("chain_id","onchain_user","created_at" DESC NULLS LAST,"uid") WHERE "orders"."onchain_user" is not null;
--> statement-breakpoint
CREATE INDEX "orders_select_affiliate_statistics" ON "orders" USING btree ("referrer_code") WHERE "orders"."referrer_code" is not null and "orders"."executed_sell_amount" > 0;
--> statement-breakpoint
CREATE INDEX "orders_select_network_status" ON "orders" USING btree ("chain_id","created_at","admission_ms") WHERE "orders"."admission_ms" is not null;
--> statement-breakpoint
CREATE INDEX "orders_select_unfilled_orders" ON "orders" USING btree ("chain_id",coalesce("user_valid_to", "valid_to")) WHERE "orders"."cancelled_at" is null and not "orders"."invalidated" and case "orders"."kind"
    when 'sell' then "orders"."executed_sell_amount" - "orders"."executed_fee_amount" < "orders"."sell_amount"
    else "orders"."executed_buy_amount" < "orders"."buy_amount" end;
--> statement-breakpoint
CREATE INDEX "quotes_select_matching_quote" ON "quotes" USING btree ("chain_id","sell_token","buy_token","expires_at" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "quotes_select_network_status" ON "quotes" USING btree ("chain_id","created_at","elapsed_ms");
--> statement-breakpoint
CREATE INDEX "account_surplus_delete_from_block" ON "account_surplus" USING btree ("chain_id","through_block");
--> statement-breakpoint
CREATE INDEX "executions_select_order_executions" ON "executions" USING btree ("chain_id","order_uid");
--> statement-breakpoint
CREATE INDEX "executions_delete_from_block" ON "executions" USING btree ("chain_id","block_number");
--> statement-breakpoint
CREATE INDEX "settlement_attempts_select_network_status" ON "settlement_attempts" USING btree ("chain_id","started_at");
--> statement-breakpoint
CREATE INDEX "settlement_attempts_reopen" ON "settlement_attempts" USING btree ("chain_id","end_block");
--> statement-breakpoint
CREATE INDEX "settlement_attempts_select_judged" ON "settlement_attempts" USING btree ("chain_id","solver","auction_id" DESC NULLS LAST,"solution_uid");
--> statement-breakpoint
CREATE INDEX "settlement_attempts_select_running" ON "settlement_attempts" USING btree ("chain_id") WHERE "settlement_attempts"."outcome" is null;
--> statement-breakpoint
CREATE INDEX "settlement_failures_select_of_account" ON "settlement_failures" USING btree ("chain_id","account");
--> statement-breakpoint
CREATE INDEX "settlements_select_network_status" ON "settlements" USING btree ("chain_id","settled_at");
--> statement-breakpoint
CREATE INDEX "settlements_select_by_auction" ON "settlements" USING btree ("chain_id","auction_id");
--> statement-breakpoint
CREATE INDEX "settlements_select_by_transaction" ON "settlements" USING btree ("chain_id","transaction_hash");
--> statement-breakpoint
CREATE INDEX "solver_suspensions_select_active" ON "solver_suspensions" USING btree ("chain_id","until");
--> statement-breakpoint
CREATE INDEX "trades_select_order_trades" ON "trades" USING btree ("chain_id","order_uid","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "trades_select_owner_trades" ON "trades" USING btree ("chain_id","owner","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "trades_select_transaction_trades" ON "trades" USING btree ("chain_id","transaction_hash");
--> statement-breakpoint
CREATE INDEX "trades_select_token_metadata_sell" ON "trades" USING btree ("chain_id","sell_token","block_number");
--> statement-breakpoint
CREATE INDEX "trades_select_token_metadata_buy" ON "trades" USING btree ("chain_id","buy_token","block_number");
--> statement-breakpoint
CREATE INDEX "trade_values_of_trader" ON "trade_values" USING btree ("chain_id","trader","block_number","log_index");
--> statement-breakpoint
CREATE INDEX "trade_values_of_sell_token" ON "trade_values" USING btree ("chain_id","sell_token","block_number","log_index");
--> statement-breakpoint
CREATE INDEX "trade_values_of_buy_token" ON "trade_values" USING btree ("chain_id","buy_token","block_number","log_index");
--> statement-breakpoint
CREATE INDEX "trade_values_select_candles" ON "trade_values" USING btree ("chain_id","sell_token","buy_token","block_number","log_index","settled_at","sell_amount","buy_amount");
--> statement-breakpoint
CREATE INDEX "trade_values_select_statistics" ON "trade_values" USING btree ("chain_id","settled_at","trader","solver","volume","surplus");
--> statement-breakpoint
-- The newest position; reads one index entry for each network.
CREATE FUNCTION public.newest_order_log_position() RETURNS xid8 LANGUAGE sql STABLE AS $$
with recursive networks(chain_id) as (
  (select chain_id from public.order_events order by chain_id limit 1)
  union all
  select (select e.chain_id from public.order_events e where e.chain_id > networks.chain_id order by e.chain_id limit 1)
  from networks where networks.chain_id is not null
)
select newest.written_by from networks cross join lateral (
  select e.written_by from public.order_events e where e.chain_id = networks.chain_id order by e.written_by desc limit 1
) as newest order by 1 desc limit 1 $$;
--> statement-breakpoint
-- Whether the log has positions that this cluster has not reached: it was restored from another one, and its newest events
-- are unreadable.
CREATE FUNCTION public.is_order_log_ahead() RETURNS boolean LANGUAGE sql STABLE AS $$
select coalesce(public.newest_order_log_position()
  >= public.order_log_position(pg_snapshot_xmax(pg_current_snapshot())), false) $$;
--> statement-breakpoint
-- Lets positions continue after those of the other cluster, with room for the positions of events that were lost with it.
-- `is_forced`: also where it cannot be noticed, after a restore of the same cluster to an earlier time.
CREATE FUNCTION public.continue_order_log(is_forced boolean DEFAULT false) RETURNS boolean LANGUAGE plpgsql AS $$
declare
  room constant bigint := 1099511627776;
  transaction bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  newest bigint := coalesce(public.newest_order_log_position()::text::bigint, 0);
begin
  if not is_forced and not public.is_order_log_ahead() then
    return false;
  end if;
  newest := greatest(newest, transaction + public.order_log_offset());
  execute format(
    'create or replace function public.order_log_offset() returns bigint language sql stable parallel safe as %L',
    format('select %s::bigint', newest + room - transaction));
  return true;
end $$;
