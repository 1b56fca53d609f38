CREATE TYPE "public"."affiliate_role" AS ENUM('affiliate', 'trader');--> statement-breakpoint
CREATE TYPE "public"."placement_error" AS ENUM('preValidationError', 'nonZeroFee', 'other', 'reorged');--> statement-breakpoint
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
DROP INDEX "orders_select_open_orders";--> statement-breakpoint
ALTER TABLE "auction_entries" ADD COLUMN "body" json;--> statement-breakpoint
ALTER TABLE "current_auctions" ADD COLUMN "prices" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "pre_interactions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "post_interactions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "partner_fees" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "referrer_code" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "jit_block" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "onchain_user" "bytea";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "user_valid_to" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "placement_error" "placement_error";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_transaction_hash" "bytea";--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "settled_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "solution_orders" ADD COLUMN "protocol_fees" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "order_placements_of_order" ON "order_placements" USING btree ("chain_id","order_uid","block_number","log_index");--> statement-breakpoint
CREATE INDEX "order_refunds_of_order" ON "order_refunds" USING btree ("chain_id","order_uid");--> statement-breakpoint
CREATE INDEX "price_samples_delete_old" ON "price_samples" USING btree ("chain_id","sampled_at");--> statement-breakpoint
CREATE INDEX "yield_pools_select_yield_pools" ON "yield_pools" USING btree ("chain_id","contract_address");--> statement-breakpoint
CREATE INDEX "orders_delete_from_block" ON "orders" USING btree ("chain_id","jit_block") WHERE "orders"."jit_block" is not null;--> statement-breakpoint
CREATE INDEX "orders_select_onchain_orders" ON "orders" USING btree ("chain_id","onchain_user","created_at" DESC NULLS LAST,"uid") WHERE "orders"."onchain_user" is not null;--> statement-breakpoint
CREATE INDEX "orders_select_affiliate_statistics" ON "orders" USING btree ("referrer_code") WHERE "orders"."referrer_code" is not null and "orders"."executed_sell_amount" > 0;--> statement-breakpoint
CREATE INDEX "trades_select_token_metadata_sell" ON "trades" USING btree ("chain_id","sell_token","block_number");--> statement-breakpoint
CREATE INDEX "trades_select_token_metadata_buy" ON "trades" USING btree ("chain_id","buy_token","block_number");--> statement-breakpoint
CREATE INDEX "orders_select_open_orders" ON "orders" USING btree ("chain_id",coalesce("user_valid_to", "valid_to")) WHERE "orders"."cancelled_at" is null and not "orders"."invalidated";--> statement-breakpoint
ALTER TABLE "current_auctions" DROP COLUMN "body";