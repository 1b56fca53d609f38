-- Positions of order events are transaction numbers of the cluster plus this offset. It is a constant in the text of a
-- function, so that it costs nothing to read and a dump contains it. Stable functions are inlined, and plans that contain them
-- are made again when they change; immutable ones would be evaluated once and kept.
CREATE FUNCTION public.order_log_offset() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS 'select 0::bigint';
--> statement-breakpoint
CREATE FUNCTION public.order_log_position(transaction xid8) RETURNS xid8 LANGUAGE sql STABLE PARALLEL SAFE AS
'select (transaction::text::bigint + public.order_log_offset())::text::xid8';
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
--> statement-breakpoint
ALTER TABLE "order_events" ALTER COLUMN "written_by" SET DEFAULT order_log_position(pg_current_xact_id());
