import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildWorkerdConfig } from './buildWorkerdConfig.ts'

const folder = mkdtempSync(join(tmpdir(), 'edgebook-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'orders'))
for (const name of ['index.js', '1-curve.wasm']) writeFileSync(join(folder, 'orders', name), '')

const orders = {
  name: 'orders',
  main: join(folder, 'orders/index.js'),
  compatibility_date: '2026-10-01',
  compatibility_flags: ['nodejs_compat'],
  vars: { SOLVERS: '[{"name":"a"}]' },
  services: [{ binding: 'AUCTIONS', service: 'auctions' }],
  durable_objects: { bindings: [{ name: 'CLOCK', class_name: 'Clock' }] },
}
const plan = { workers: [orders], ports: { orders: 8001 }, elsewhere: { auctions: 8002 }, storage: '/tmp/storage' }

test('contains modules, vars, local and external services, Durable Objects and sockets', () => {
  const config = buildWorkerdConfig(plan, join(folder, 'config.capnp'))
  for (const part of [
    '(name = "worker", esModule = embed "orders/index.js"), (name = "1-curve.wasm", wasm = embed "orders/1-curve.wasm")',
    'compatibilityDate = "2026-10-01"',
    'compatibilityFlags = ["nodejs_compat"]',
    '(name = "SOLVERS", text = "[{\\"name\\":\\"a\\"}]")',
    '(name = "AUCTIONS", service = "auctions")',
    '(name = "auctions", external = (address = "127.0.0.1:8002", http = ()))',
    '(name = "CLOCK", durableObjectNamespace = "Clock")',
    '(className = "Clock", uniqueKey = "orders-Clock", enableSql = true)',
    'disk = (path = "/tmp/storage", writable = true)',
    '(name = "orders", address = "127.0.0.1:8001", http = (), service = "orders")',
  ])
    expect(config).toContain(part)
})

test('rejects a binding to a Worker that no process runs', () => {
  expect(() => buildWorkerdConfig({ ...plan, elsewhere: {} }, join(folder, 'config.capnp'))).toThrow(
    'orders: AUCTIONS is bound to auctions, which no process runs',
  )
})
