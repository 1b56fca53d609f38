import { expect, test } from 'vitest'
import { findUnboundTables } from './findUnboundTables.ts'

/** Statements that bind every table are those of `measureRows`. */
const tables = new Set(['orders', 'trades'])
const find = (statement: string) => findUnboundTables(statement, tables)

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
