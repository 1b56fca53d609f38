ALTER TYPE "public"."notification_type" ADD VALUE 'conditional_order_ended';
--> statement-breakpoint
ALTER TYPE "public"."order_event_label" ADD VALUE 'opened';
--> statement-breakpoint
ALTER TYPE "public"."order_event_label" ADD VALUE 'slowed';
--> statement-breakpoint
ALTER TYPE "public"."order_event_label" ADD VALUE 'ended';
