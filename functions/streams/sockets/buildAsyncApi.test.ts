import schema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' }
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { buildAsyncApi } from './buildAsyncApi.ts'

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const isValid = ajv.compile(schema)

test('the document of the WebSocket satisfies the official schema of AsyncAPI', () => {
  const document = JSON.parse(JSON.stringify(buildAsyncApi()))
  expect([isValid(document), isValid.errors]).toEqual([true, null])
  const { operations, ...rest } = document
  expect(isValid({ ...rest, operations: { ...operations, receiveMessages: { action: 'listen' } } })).toBe(false)
})
