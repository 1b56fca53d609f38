import { expect, test } from 'vitest'
import { findUnboundTables } from './findUnboundTables.ts'

const tables = new Set(['orders', 'trades'])
const find = (statement: string) => findUnboundTables(statement, tables)

test.each([
  'select from orders where chain_id = $1 and uid = $2',
  'select from orders where chain_id = 5',
  'select from orders where chain_id = any($1::int[])',
  'select from orders where chain_id in ($1, $2)',
  'select from orders where (chain_id, uid) = ($1, $2)',
  'select from orders o join trades t on t.chain_id = o.chain_id where o.chain_id = $1',
  'select from orders o join trades t on (t.chain_id, t.order_uid) = (o.chain_id, o.uid) where t.chain_id = $1',
  'select from orders left join trades using (chain_id) where orders.chain_id = $1',
  'select from blocks where number = $1',
  'select from orders where chain_id = $1 and exists (select from trades where trades.chain_id = orders.chain_id)',
  'select from orders where (chain_id = $1 and uid = $2) or (chain_id = $1 and owner = $3)',
  'update orders set invalidated = true from trades where orders.chain_id = $1 and trades.chain_id = orders.chain_id',
  'delete from orders where chain_id = $1',
  'insert into orders select $1::int from blocks',
  'with found as (select chain_id from orders where chain_id = $1) select from trades t join found on t.chain_id = found.chain_id',
])('every table is bound in %s', (statement) => {
  expect(find(statement)).toEqual([])
})

test.each<[statement: string, unbound: string[]]>([
  ['select from orders where uid = $1', ['orders']],
  ['select from orders where chain_id <> $1', ['orders']],
  ['select from orders where chain_id = chain_id', ['orders']],
  ['select from orders o join trades t on t.order_uid = o.uid where o.chain_id = $1', ['t of trades']],
  ['select from orders o join trades t on t.chain_id = o.chain_id', ['o of orders', 't of trades']],
  ['select from orders where chain_id = $1 or uid = $2', ['orders']],
  ['select from orders where chain_id = $1 and exists (select from trades where order_uid = uid)', ['trades']],
  ['select from blocks union all select from orders where uid = $1', ['orders']],
  ['update orders set invalidated = true where uid = $1', ['orders']],
  ['delete from orders using trades where orders.chain_id = $1', ['trades']],
  ['with gone as (delete from trades returning *) select from gone', ['trades']],
  ['insert into orders select from trades where order_uid = $1', ['trades']],
])('%s leaves %j unbound', (statement, unbound) => {
  expect(find(statement)).toEqual(unbound)
})
