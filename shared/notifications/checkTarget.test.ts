import { describe, expect, test } from 'vitest'
import { checkTarget, TargetError } from './checkTarget.ts'

const strict = { allowPrivate: false }

describe('rejects', () => {
  test.each([
    // no URL of https
    ['', 'a URL'],
    ['example.com/hook', 'a URL'],
    ['https://', 'a URL'],
    ['http://example.com/hook', 'https'],
    ['ftp://example.com/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['data:text/plain,x', 'https'],
    ['file:///etc/passwd', 'https'],
    // credentials
    ['https://user:password@example.com/', 'password'],
    ['https://example.com@10.0.0.1/', 'password'],
    ['https://:x@example.com/', 'password'],
    // ports of other protocols
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:1023/', 'port'],
    // IPv4 that is not public
    ['https://0.0.0.0/', 'address'],
    ['https://10.0.0.1/', 'address'],
    ['https://100.64.0.1/', 'address'],
    ['https://127.0.0.1/', 'address'],
    ['https://127.255.255.254/', 'address'],
    ['https://169.254.169.254/latest/meta-data', 'address'],
    ['https://172.16.0.1/', 'address'],
    ['https://172.31.255.255/', 'address'],
    ['https://192.0.0.8/', 'address'],
    ['https://192.0.2.1/', 'address'],
    ['https://192.88.99.1/', 'address'],
    ['https://192.168.1.1:8443/', 'address'],
    ['https://198.18.0.1/', 'address'],
    ['https://198.51.100.1/', 'address'],
    ['https://203.0.113.1/', 'address'],
    ['https://224.0.0.1/', 'address'],
    ['https://240.0.0.1/', 'address'],
    ['https://255.255.255.255/', 'address'],
    // spellings of it
    ['https://2130706433/', 'address'],
    ['https://0x7f000001/', 'address'],
    ['https://0x7f.1/', 'address'],
    ['https://017700000001/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://127.0.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://１２７.０.０.１/', 'address'],
    ['https://①②⑦.⓪.⓪.①/', 'address'],
    ['https://%31%32%37.0.0.1/', 'address'],
    ['https://127。0。0。1/', 'address'],
    ['https:\\\\10.0.0.1\\', 'address'],
    ['https:10.0.0.1', 'address'],
    ['ht\ntps://10.0.0.1/', 'address'],
    ['https://0/', 'address'],
    // IPv6 that is not public
    ['https://[::]/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[0:0:0:0:0:0:0:1]:8443/', 'address'],
    ['https://[fe80::1]/', 'address'],
    ['https://[fec0::1]/', 'address'],
    ['https://[fc00::1]/', 'address'],
    ['https://[fd00:ec2::254]/', 'address'],
    ['https://[ff02::1]/', 'address'],
    ['https://[100::1]/', 'address'],
    ['https://[2001:db8::1]/', 'address'],
    ['https://[3fff::1]/', 'address'],
    ['https://[4000::1]/', 'address'],
    // IPv4 inside IPv6, the public one as well
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[::ffff:7f00:1]/', 'address'],
    ['https://[::ffff:8.8.8.8]/', 'address'],
    ['https://[::ffff:0:127.0.0.1]/', 'address'],
    ['https://[::127.0.0.1]/', 'address'],
    ['https://[64:ff9b::7f00:1]/', 'address'],
    ['https://[64:ff9b::8.8.8.8]/', 'address'],
    ['https://[64:ff9b:1::a00:1]/', 'address'],
    ['https://[2002:7f00:1::]/', 'address'],
    ['https://[2001:0:7f00:1::]/', 'address'],
    // names of no public host
    ['https://localhost/', 'public name'],
    ['https://LOCALHOST./', 'public name'],
    ['https://hooks.localhost/', 'public name'],
    ['https://intranet/', 'public name'],
    ['https://printer.local/', 'public name'],
    ['https://metadata.google.internal/', 'public name'],
    ['https://router.home.arpa/', 'public name'],
    ['https://router.lan:8443/', 'public name'],
    ['https://example.com../', 'public name'],
  ])('%s', (text, reason) => {
    expect(() => checkTarget(text, strict)).toThrow(reason)
  })
})

test.each([
  ['https://example.com', 'https://example.com/'],
  ['https://EXAMPLE.com:443/Hook?key=A', 'https://example.com/Hook?key=A'],
  ['https://example.com.:8443/hook', 'https://example.com.:8443/hook'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
  ['https://[2606:4700:4700::1111]:1024/', 'https://[2606:4700:4700::1111]:1024/'],
])('accepts %s', (text, url) => {
  expect(checkTarget(text, strict).href).toBe(url)
})

test('rejects more than 2,048 characters', () => {
  const text = `https://example.com/${'a'.repeat(2_048 - 20)}`
  expect(checkTarget(text, strict).href).toBe(text)
  expect(() => checkTarget(`${text}a`, strict)).toThrow('2048')
})

describe('with private targets allowed', () => {
  const own = { allowPrivate: true }

  test.each(['http://127.0.0.1:8790/webhook', 'https://localhost/', 'https://10.0.0.1:80/'])('accepts %s', (text) => {
    expect(checkTarget(text, own).href).toBe(text)
  })

  test.each(['ftp://localhost/', 'http://user:password@localhost/', 'localhost:80'])('rejects %s', (text) => {
    expect(() => checkTarget(text, own)).toThrow(TargetError)
  })
})
