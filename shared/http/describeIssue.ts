import { config, type core } from 'zod'

const nouns: Readonly<Record<string, string>> = {
  array: 'an array',
  bigint: 'an integer',
  boolean: 'true or false',
  date: 'a date',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

const units: Readonly<Record<string, string>> = { array: ' items', string: ' characters' }

const formats: Readonly<Record<string, string>> = {
  datetime: 'a date and time as in 2026-01-31T12:00:00Z',
  email: 'an e-mail address',
  url: 'a URL',
}

/**
 * Importing this module sets the messages of schemas without their own: the value that a schema expected. It reaches clients as `expected`, so it
 * avoids the validator's terms.
 */
const describeIssue = (issue: core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return nouns[issue.expected] ?? 'a valid value'
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${units[issue.origin] ?? ''}`
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${units[issue.origin] ?? ''}`
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'text in the documented format'
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return 'only the documented fields'
    default:
      return 'a value in one of the documented forms'
  }
}

// the validator's own messages are not meant for clients and operators
config({ localeError: describeIssue })
