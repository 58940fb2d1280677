import { describe, expect, test } from 'vitest'
import { toRulesJson } from './build'
import { compressRules } from './ruleCompression'
import {
  all,
  anyJsonRule,
  booleanRule,
  toFileForm,
  collectionRule,
  keyRule,
  valueRule,
  arrayRule,
  numberRule,
  choiceRule,
  makeOptional,
  recordRule,
  textRule,
  urlRule,
  writableValueRule,
  withValidation,
  withWriteCondition,
  type Fields,
  type Rule,
} from './ruleBuilders'

const foldedRecord = (fields: Fields, around: Rule = {}) =>
  toRulesJson(compressRules({ ...around, children: { r: recordRule(fields) } }))['r']

describe('fields of a record', () => {
  test('share one condition when they have the same checks, and refuse any other name', () => {
    const fields = {
      first: textRule(0, 100),
      last: textRule(0, 100),
      nick: makeOptional(textRule(0, 100)),
    }
    expect(foldedRecord(fields)).toEqual({
      '.validate': "newData.hasChildren(['first','last'])",
      $f: {
        '.validate':
          'newData.isString()&&$f.matches(/^(first|last|nick)$/)&&newData.val().length<=100',
      },
    })
  })

  test('keep different checks under their names', () => {
    const fields = {
      a: valueRule(all('newData.isString()', 'now > 1')),
      b: valueRule(all('newData.isString()', 'now > 1')),
      c: valueRule(all('newData.isString()', 'now > 2')),
      d: booleanRule(),
      e: booleanRule(),
    }
    expect(foldedRecord(fields)).toMatchObject({
      $f: {
        '.validate':
          "newData.isString()&&($f.matches(/^(a|b)$/)&&now>1||$f=='c'&&now>2)||newData.isBoolean()&&$f.matches(/^(d|e)$/)",
      },
    })
  })

  test('are compared with the bound for their name when only a bound differs', () => {
    const lengths = { a: textRule(0, 9), b: textRule(0, 9), c: textRule(0, 5) }
    expect(foldedRecord(lengths)).toMatchObject({
      $f: {
        '.validate':
          "newData.isString()&&newData.val().length<=($f.matches(/^(a|b)$/)?9:$f=='c'?5:-1)",
      },
    })
    const numbers = { a: numberRule(0, 9), b: numberRule(0, 5), c: numberRule(1, 5) }
    expect(foldedRecord(numbers)).toMatchObject({
      $f: {
        '.validate':
          "newData.isNumber()&&(newData.val()>=0&&newData.val()<=($f=='a'?9:$f=='b'?5:-1)||$f=='c'&&newData.val()>=1&&newData.val()<=5)",
      },
    })
  })

  test('are never compared with another name’s bound when they may be negative', () => {
    const { $f } = foldedRecord({
      a: numberRule(-1, 9),
      b: numberRule(-1, 5),
      c: numberRule(-2, 7),
    }) as {
      $f: Record<string, string>
    }
    expect($f['.validate']).not.toContain('?')
  })

  test('are matched together with their name when only a pattern differs', () => {
    const fields = { id: keyRule, uid: keyRule, kind: choiceRule('a', 'b'), type: choiceRule('c') }
    expect(foldedRecord(fields)).toMatchObject({
      $f: {
        '.validate':
          "newData.isString()&&($f+'#'+newData.val()).matches(/^((id|uid)#[\\w-]{1,128}|kind#(a|b)|type#c)$/)",
      },
    })
  })

  test('check the common condition once when some have additional ones', () => {
    const fields = {
      must: withWriteCondition(all('now > 5', 'now > 6'), textRule(0, 300)),
      may: withWriteCondition('now > 5', makeOptional(textRule(0, 300))),
      also: withWriteCondition('now > 5', makeOptional(textRule(0, 300))),
    }
    expect(foldedRecord(fields)).toMatchObject({
      $f: {
        '.write': "now>5&&($f=='must'&&newData.exists()&&now>6||$f!='must')",
      },
    })
  })

  test('can be removed by name when optional, and stay when required', () => {
    const fields = {
      must: withWriteCondition('auth.uid == $uid', textRule(0, 300)),
      may: withWriteCondition('auth.uid == $uid', makeOptional(textRule(0, 300))),
    }
    expect(foldedRecord(fields)).toMatchObject({
      $f: { '.write': "($f=='may'||newData.exists())&&auth.uid==$uid" },
    })
  })

  test('are not written with the others when they are read-only', () => {
    const fixed = textRule(0, 300)
    const fields = { fixed, must: withWriteCondition('auth.uid == $uid', fixed) }
    expect(foldedRecord(fields)).toMatchObject({
      $f: { '.write': "$f=='must'&&newData.exists()&&auth.uid==$uid" },
    })
  })

  test('keep their own lines when that is shorter', () => {
    const special = withWriteCondition('now > 5', valueRule('now > 6'))
    const unlike = { on: booleanRule(), off: booleanRule(), aFieldUnlikeTheOthers: special }
    expect(foldedRecord(unlike)).toMatchObject({ aFieldUnlikeTheOthers: {}, $f: {} })
  })

  test('are read under the names that are shorter, because unknown names have no data', () => {
    const secret = makeOptional(textRule(0, 9))
    const open = { ...secret, read: 'auth.uid == $id' }
    const fields = { a: open, b: open, c: open, code: secret }
    expect(foldedRecord(fields)).toMatchObject({ $f: { '.read': "$f!='code'&&auth.uid==$id" } })
  })

  test('share the beginning or the end of their names, without an empty alternative', () => {
    const words = ['pickup_image', 'deliver_image', 'bankName', 'bankCode', 'bank', 'other']
    const fields = Object.fromEntries(words.map((word) => [word, makeOptional(booleanRule())]))
    expect(foldedRecord(fields)).toMatchObject({
      $f: {
        '.validate':
          'newData.isBoolean()&&$f.matches(/^((pickup|deliver)_image|ban(kName|kCode|k)|other)$/)',
      },
    })
  })

  test('need no parentheses around the only alternative of their names', () => {
    const words = ['the_front_page', 'the_back_page']
    const fields = Object.fromEntries(words.map((word) => [word, makeOptional(booleanRule())]))
    expect(foldedRecord(fields)).toMatchObject({
      $f: { '.validate': 'newData.isBoolean()&&$f.matches(/^the_(front|back)_page$/)' },
    })
  })

  test('share the first checks of their parts, which cannot fail', () => {
    const translations = (maxLength: number) =>
      collectionRule(
        '$locale',
        withValidation('$locale.matches(/^[a-z]+$/)', textRule(1, maxLength)),
      )
    const child = "newData.child('a').val() > 1"
    const fields = {
      names: translations(9),
      infos: translations(99),
      ...Object.fromEntries(
        ['one', 'two'].map((name, i) => [
          name,
          collectionRule('$key', valueRule(all(child, `now > ${i}`))),
        ]),
      ),
    }
    expect(foldedRecord(fields)).toMatchObject({
      $f: {
        $g: {
          '.validate':
            "$g.matches(/^[a-z]+$/)&&newData.isString()&&newData.val()!=''&&($f=='names'&&newData.val().length<=9||$f=='infos'&&newData.val().length<=99)||$f=='one'&&newData.child('a').val()>1&&now>0||$f=='two'&&newData.child('a').val()>1&&now>1",
        },
      },
    })
  })

  test('keep their own lines when the condition would be too long to read', () => {
    const names = Array.from({ length: 60 }, (_, i) => `aFieldWithARatherLongName${i}`)
    const fields = Object.fromEntries(
      names.map((name, i) => [name, i < 2 ? booleanRule() : textRule(0, i)]),
    )
    const { $f, ...apart } = foldedRecord(fields) as Record<string, Record<string, string>>
    expect($f?.['.validate']?.length).toBeLessThanOrEqual(1500)
    expect(Object.keys(apart).length).toBeGreaterThan(5)
  })

  test('keep their own lines when they contain more than a value and that is shorter', () => {
    const fields = { a: urlRule, b: urlRule, inner: recordRule({ c: urlRule, d: urlRule }) }
    expect(foldedRecord(fields)).toMatchObject({ inner: { $f: {} }, $f: {} })
  })

  const isNext = "newData.parent().child('revision').val() == data.val() + 1"
  test('share the rules of their parts, which also check the name of the field', () => {
    const place = recordRule({ lat: numberRule(-90, 90), add: textRule(0, 9) })
    const fields = {
      from: withWriteCondition(isNext, place),
      to: withWriteCondition(isNext, place),
      via: withWriteCondition(isNext, arrayRule(place)),
      name: withWriteCondition(isNext, textRule(0, 9)),
    }
    const parts = 'newData.isNumber()&&'
    expect(foldedRecord(fields)).toEqual({
      '.validate': "newData.hasChildren(['from','to','via','name'])",
      $f: {
        '.write': `newData.exists()&&${toFileForm(isNext)}`,
        '.validate':
          "$f.matches(/^(from|to)$/)&&newData.hasChildren(['lat','add'])||$f=='via'||newData.isString()&&$f=='name'&&newData.val().length<=9",
        $g: {
          '.validate': `$f.matches(/^(from|to)$/)&&(${parts}$g=='lat'&&newData.val()>=-90&&newData.val()<=90||newData.isString()&&$g=='add'&&newData.val().length<=9)||$f=='via'&&$g.matches(/^\\d{1,4}$/)&&newData.hasChildren(['lat','add'])`,
          $h: {
            '.validate': `$f=='via'&&(${parts}$h=='lat'&&newData.val()>=-90&&newData.val()<=90||newData.isString()&&$h=='add'&&newData.val().length<=9)`,
          },
        },
      },
    })
  })

  test('share the rules of parts under other keys when the parts have the same checks', () => {
    const total = withWriteCondition(isNext, numberRule(0, 9))
    const fields = {
      days: collectionRule('$date', { ...collectionRule('$total', total), validate: 'now > 1' }),
      months: collectionRule('$month', { ...collectionRule('$sum', total), validate: 'now > 2' }),
    }
    expect(foldedRecord(fields)).toMatchObject({
      $f: {
        $g: {
          '.validate': "$f=='days'&&now>1||$f=='months'&&now>2",
          $h: {
            '.write': `$f.matches(/^(days|months)$/)&&newData.exists()&&${toFileForm(isNext)}`,
            '.validate':
              '$f.matches(/^(days|months)$/)&&newData.isNumber()&&newData.val()>=0&&newData.val()<=9',
          },
        },
      },
    })
  })

  test('keep their own lines when their parts have no checks, an index or any name', () => {
    const fields = {
      open: withWriteCondition(isNext, makeOptional(collectionRule('$any', anyJsonRule))),
      indexed: withWriteCondition(
        isNext,
        makeOptional(collectionRule('$any', booleanRule(), { indexOn: ['at'] })),
      ),
      mixed: withWriteCondition(
        isNext,
        makeOptional({ children: { on: booleanRule(), $any: booleanRule() } }),
      ),
      closed: withWriteCondition(isNext, makeOptional(collectionRule('$any', booleanRule()))),
      other: withWriteCondition(isNext, makeOptional(collectionRule('$any', booleanRule()))),
    }
    expect(foldedRecord(fields)).toMatchObject({
      open: { $any: {} },
      indexed: { $any: {} },
      mixed: { on: {}, $any: {} },
      $f: { $g: {} },
    })
  })
})

describe('a record’s .write replaces its .validate', () => {
  const fields = { a: urlRule, b: urlRule }
  const entry = recordRule(fields, { create: 'true' })
  const getValidate = (rule: Rule) => {
    const json = toRulesJson(compressRules(collectionRule('$id', rule))) as Record<
      string,
      Record<string, unknown>
    >
    return json['$id']?.['.validate']
  }

  test('when no other rule allows a write to any part', () => {
    expect(getValidate(entry)).toBeUndefined()
  })
  test('except when a rule above allows a write to it', () => {
    const above = compressRules({ write: 'true', children: { list: collectionRule('$id', entry) } })
    expect(above.children?.['list']?.children?.['$id']?.validate).toBe(entry.validate)
  })
  test('also when the place above only allows removing everything', () => {
    const write = 'auth.uid == $uid && !newData.exists()'
    const above = compressRules({ children: { list: { ...collectionRule('$id', entry), write } } })
    expect(above.children?.['list']?.children?.['$id']?.validate).toBeUndefined()
  })
  test('except when a part can be written by itself', () => {
    const counted = recordRule(
      { ...fields, count: writableValueRule(booleanRule(), { create: 'true' }) },
      { create: 'true' },
    )
    expect(getValidate(counted)).toBe("newData.hasChildren(['a','b','count'])")
  })
  test('except when clients can’t write the record by itself', () => {
    expect(getValidate(recordRule(fields))).toBe("newData.hasChildren(['a','b'])")
  })
})
