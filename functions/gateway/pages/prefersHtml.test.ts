import { expect, test } from 'vitest'
import { prefersHtml } from './prefersHtml.ts'

test.each([
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html',
  'TEXT/HTML;level=1',
  'text/*, application/json;q=0.5',
  'application/json;q=0.9, text/html',
  'text/html;q=0.1',
  'text/html;q=1, */*;q=0.8',
])('%s prefers HTML', (accept) => {
  expect(prefersHtml(accept)).toBe(true)
})

test.each([
  undefined,
  '',
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
  'text/html, application/json',
  'text/html;q=0.5, */*',
  'text/html;q=0, */*;q=0.1',
  'text/html;q=nonsense',
  'text/htmlx',
  'image/avif,image/webp',
])('%s does not prefer HTML', (accept) => {
  expect(prefersHtml(accept)).toBe(false)
})
