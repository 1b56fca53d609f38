import { expect, test } from 'vitest'
import { errorCatalogue } from '#shared/http/errorCatalogue.ts'
import { getErrors, type PublishedErrors } from './getErrors.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const send = (accept = '*/*') => getErrors().request('/errors', { headers: { Accept: accept } })
const rows = Object.entries(errorCatalogue)

test('programs get every error with its code, status, class, meaning and cure', async () => {
  const response = await send()
  expect(response.headers.get('Vary')).toBe('Accept')
  const { classes, errors } = (await response.json()) as PublishedErrors
  expect(classes.map(({ class: name }) => name)).toEqual(['fix', 'wait', 'retry', 'final'])
  expect(errors).toEqual(rows.map(([errorType, row]) => ({ errorType, ...row })))
})

test('browsers get a page on which each error has its own anchor', async () => {
  const page = await send(browser)
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
  const anchors = [...(await page.text()).matchAll(/<tr id="(\w+)">/g)].map(([, id]) => id)
  expect(anchors).toEqual(Object.keys(errorCatalogue))
})

test('a code belongs to one error only', () => {
  expect(new Set(rows.map(([, { code }]) => code)).size).toBe(rows.length)
})

test('a request that failed on the side of the service or came too fast or too slow is to be retried unchanged', () => {
  const retried = rows.filter(([, { status }]) => status >= 500 || status === 429 || status === 408)
  expect(rows.filter(([, row]) => row.class === 'retry')).toEqual(retried)
})
