import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildMiniflareOptions } from './buildMiniflareOptions.ts'

const target = { port: 8787, storage: '/stack/durable' }

const bundles = mkdtempSync(join(tmpdir(), 'edgebook-'))
afterAll(() => rmSync(bundles, { recursive: true }))

test('vars and services are passed on, and a field that is not is named', () => {
  const config = {
    name: 'one',
    main: join(bundles, 'one.js'),
    vars: { A: '1' },
    services: [{ binding: 'TWO', service: 'two' }],
  }
  expect(buildMiniflareOptions([config], target).workers).toMatchObject([
    { bindings: { A: '1' }, serviceBindings: { TWO: { name: 'two' } } },
  ])
  expect(() => buildMiniflareOptions([{ ...config, kv_namespaces: [] }], target)).toThrow(
    'one: kv_namespaces of its configuration is not passed to Miniflare',
  )
})
