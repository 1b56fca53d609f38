import { expect, test } from 'vitest'
import { computeLocationHint, computePlacement } from './databaseLocation.ts'

test.each([
  ['postgres://user:secret@ep-a-b-123.eu-central-1.aws.neon.tech/edgebook', { region: 'aws:eu-central-1' }, 'weur'],
  ['postgres://user:secret@ep-a-b-123-pooler.us-east-2.aws.neon.tech/edgebook', { region: 'aws:us-east-2' }, 'enam'],
  ['postgres://ep-a.c-2.us-west-2.aws.neon.tech/edgebook', { region: 'aws:us-west-2' }, 'wnam'],
  ['postgres://ep-a.ap-southeast-2.aws.neon.tech/edgebook', { region: 'aws:ap-southeast-2' }, 'oc'],
  ['postgres://ep-a.ap-southeast-1.aws.neon.tech/edgebook', { region: 'aws:ap-southeast-1' }, 'apac'],
  ['postgres://ep-a.eastus2.azure.neon.tech/edgebook', { region: 'azure:eastus2' }, undefined],
  ['postgres://user:secret@db.example.org:6432/edgebook', { host: 'db.example.org:6432' }, undefined],
  ['postgresql://db.example.org/edgebook', { host: 'db.example.org:5432' }, undefined],
  ['postgres://user:secret@127.0.0.1:9/edgebook', undefined, undefined],
  ['postgres://localhost/edgebook', undefined, undefined],
  ['not a URL', undefined, undefined],
])('%s', (databaseUrl, placement, hint) => {
  expect(computePlacement(databaseUrl)).toEqual(placement)
  expect(computeLocationHint(databaseUrl)).toBe(hint)
})
