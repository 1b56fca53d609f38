CREATE TYPE "public"."buy_token_balance" AS ENUM('erc20', 'internal');--> statement-breakpoint
CREATE TYPE "public"."fee_policy_kind" AS ENUM('surplus', 'volume', 'priceImprovement');--> statement-breakpoint
CREATE TYPE "public"."order_class" AS ENUM('market', 'limit', 'liquidity');--> statement-breakpoint
CREATE TYPE "public"."order_event_label" AS ENUM('created', 'ready', 'filtered', 'invalid', 'executing', 'considered', 'traded', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."order_kind" AS ENUM('sell', 'buy');--> statement-breakpoint
CREATE TYPE "public"."quote_kind" AS ENUM('standard', 'eip1271onchainorder', 'presignonchainorder');--> statement-breakpoint
CREATE TYPE "public"."sell_token_balance" AS ENUM('erc20', 'internal', 'external');--> statement-breakpoint
CREATE TYPE "public"."signing_scheme" AS ENUM('eip712', 'ethsign', 'presign', 'eip1271');--> statement-breakpoint
CREATE SEQUENCE "public"."auction_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "app_data" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"full_app_data" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auction_entries" (
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"entered_auction_id" bigint NOT NULL,
	"left_auction_id" bigint,
	CONSTRAINT "auction_entries_chain_id_order_uid_entered_auction_id_pk" PRIMARY KEY("chain_id","order_uid","entered_auction_id")
);
--> statement-breakpoint
CREATE TABLE "auctions" (
	"chain_id" integer NOT NULL,
	"id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"deadline_block" bigint NOT NULL,
	"prices" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auctions_chain_id_id_pk" PRIMARY KEY("chain_id","id")
);
--> statement-breakpoint
CREATE TABLE "current_auctions" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"id" bigint NOT NULL,
	"block" bigint NOT NULL,
	"body" jsonb NOT NULL
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
CREATE TABLE "invalidations" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"owner" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	CONSTRAINT "invalidations_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
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
	"data" jsonb
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
	"class" "order_class" NOT NULL,
	"quote_id" bigint,
	"full_balance_check" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"cancelled_at" timestamp with time zone,
	"invalidated" boolean DEFAULT false NOT NULL,
	"presigned" boolean DEFAULT false NOT NULL,
	"executed_sell_amount" numeric(78, 0) DEFAULT 0 NOT NULL,
	"executed_buy_amount" numeric(78, 0) DEFAULT 0 NOT NULL,
	"executed_fee_amount" numeric(78, 0) DEFAULT 0 NOT NULL,
	"executed_fee" numeric(78, 0) DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "orders_chain_id_uid_pk" PRIMARY KEY("chain_id","uid")
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
	"solver" "bytea" NOT NULL,
	"verified" boolean NOT NULL,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
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
	CONSTRAINT "settlement_attempts_chain_id_auction_id_solution_uid_pk" PRIMARY KEY("chain_id","auction_id","solution_uid")
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"solver" "bytea" NOT NULL,
	"auction_id" bigint,
	"solution_uid" integer,
	"gas_used" numeric(78, 0) NOT NULL,
	"effective_gas_price" numeric(78, 0) NOT NULL,
	CONSTRAINT "settlements_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
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
CREATE INDEX "auction_entries_select_auction_orders" ON "auction_entries" USING btree ("chain_id","entered_auction_id","left_auction_id");--> statement-breakpoint
CREATE INDEX "auction_entries_select_open" ON "auction_entries" USING btree ("chain_id","order_uid") WHERE "auction_entries"."left_auction_id" is null;--> statement-breakpoint
CREATE INDEX "executions_select_order_executions" ON "executions" USING btree ("chain_id","order_uid");--> statement-breakpoint
CREATE INDEX "executions_delete_from_block" ON "executions" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "invalidations_of_order" ON "invalidations" USING btree ("chain_id","order_uid");--> statement-breakpoint
CREATE UNIQUE INDEX "order_events_once" ON "order_events" USING btree ("chain_id","order_uid","key");--> statement-breakpoint
CREATE INDEX "order_events_select_order_events" ON "order_events" USING btree ("chain_id","order_uid","id");--> statement-breakpoint
CREATE INDEX "order_events_delete_from_block" ON "order_events" USING btree ("chain_id","block_number");--> statement-breakpoint
CREATE INDEX "orders_select_account_orders" ON "orders" USING btree ("chain_id","owner","created_at" DESC NULLS LAST,"uid");--> statement-breakpoint
CREATE INDEX "orders_select_open_orders" ON "orders" USING btree ("chain_id","valid_to") WHERE "orders"."cancelled_at" is null and not "orders"."invalidated";--> statement-breakpoint
CREATE INDEX "presignatures_newest_of_order" ON "presignatures" USING btree ("chain_id","order_uid","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "quotes_select_matching_quote" ON "quotes" USING btree ("chain_id","sell_token","buy_token","expires_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "quotes_delete_expired" ON "quotes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "settlement_attempts_select_running" ON "settlement_attempts" USING btree ("chain_id") WHERE "settlement_attempts"."outcome" is null;--> statement-breakpoint
CREATE INDEX "settlements_select_by_auction" ON "settlements" USING btree ("chain_id","auction_id");--> statement-breakpoint
CREATE INDEX "settlements_select_by_transaction" ON "settlements" USING btree ("chain_id","transaction_hash");--> statement-breakpoint
CREATE INDEX "solution_orders_select_order_solutions" ON "solution_orders" USING btree ("chain_id","order_uid","auction_id");--> statement-breakpoint
CREATE INDEX "trades_select_order_trades" ON "trades" USING btree ("chain_id","order_uid","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "trades_select_owner_trades" ON "trades" USING btree ("chain_id","owner","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "trades_select_transaction_trades" ON "trades" USING btree ("chain_id","transaction_hash");