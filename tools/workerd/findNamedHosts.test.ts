import { expect, test } from 'vitest'
import { findNamedHosts } from './findNamedHosts.ts'

test('hosts of all URLs in the settings, with their ports', () => {
  const vars = {
    DATABASE_URL: 'postgres://edgebook:secret@127.0.0.1:5433/database0',
    RPC_URLS: '{"own":"http://10.0.0.1:8545/key,https://node.example.org"}',
    EMAIL_FROM: 'edgebook <mail@example.org>',
    TELEGRAM_URL: 'https://api.telegram.org',
  }
  expect(findNamedHosts({ vars })).toEqual(['10.0.0.1:8545', '127.0.0.1:5433', 'api.telegram.org', 'node.example.org'])
})
