import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import schema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' }
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { buildAsyncApi } from './buildAsyncApi.ts'
import { messageSchemas } from './socketMessages.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isValid = ajv.compile(schema)

test('the document of the WebSocket satisfies the official schema of AsyncAPI', () => {
  const document = JSON.parse(JSON.stringify(buildAsyncApi()))
  expect([isValid(document), isValid.errors]).toEqual([true, null])
  const { operations, ...rest } = document
  expect(isValid({ ...rest, operations: { ...operations, receiveMessages: { action: 'listen' } } })).toBe(false)
})

test('the guide lists each channel with its fields', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
  const [, table = ''] = guide.split('| `channel` | fields | follows |\n| --- | --- | --- |\n')
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n')
  const listed = rows.map((row) =>
    [
      ...row
        .split('|')
        .slice(1, 3)
        .join()
        .matchAll(/`([^`]+)`/g),
    ].map(([, name]) => name),
  )
  const common = ['type', 'id', 'resume', 'channel']
  const channels = Object.values(messageSchemas.client).flatMap(({ shape }) => {
    if (!('channel' in shape)) return []
    const own = Object.entries(shape).filter(([name]) => !common.includes(name))
    return [
      [shape.channel.value, ...own.map(([name, field]) => (field.safeParse(undefined).success ? `${name}?` : name))],
    ]
  })
  expect(listed).toEqual(channels)
})
