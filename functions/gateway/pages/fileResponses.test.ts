import { expect, test } from 'vitest'
import { fileResponses } from './fileResponses.ts'

test('a route that serves files declares each of their content types', () => {
  expect(Object.keys(fileResponses('text/html', 'font/woff2')[200].content)).toEqual(['text/html', 'font/woff2'])
})
