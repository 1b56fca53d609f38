import { expect, test } from 'vitest'
import { postNotify } from './postNotify.ts'

const post = async (body: unknown) => {
  const logged: unknown[] = []
  const app = postNotify({ log: (entry) => logged.push(entry) })
  const response = await app.request('/notify', { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, logged }
}
const notice = { auctionId: '7', solutionId: 1, kind: 'rejected', reason: 'no orders' }

test('writes a notice to the log', async () => {
  expect(await post(notice)).toEqual({ status: 200, logged: [{ message: 'notified', ...notice }] })
  const suspended = { ...notice, solutionId: null, kind: 'suspended' }
  expect(await post(suspended)).toEqual({ status: 200, logged: [{ message: 'notified', ...suspended }] })
})

test.each([{ ...notice, kind: 'other' }, { ...notice, reason: 'x'.repeat(501) }, null])(
  'rejects a notice that does not fit',
  async (body) => expect(await post(body)).toEqual({ status: 400, logged: [] }),
)
