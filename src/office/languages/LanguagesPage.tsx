import { Suspense, use, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { type LanguageForm, languageForm } from '~/domain/forms/catalogue'
import { compareTexts, newLanguage, parsePairs } from '~/domain/languages'
import type { OfficeAction } from '~/domain/permissions'
import {
  editLanguage,
  fetchLanguage,
  type LanguageRow,
  languageOpened,
  languages as liveLanguages,
  languageTexts,
  makeDefaultLanguage,
} from '~/src/features/languages/languages'
import { usePaymentTexts } from '~/src/features/payments/texts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button, IconButton, StatusChip } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import type { Column } from '~/src/ui/office/DataTable'
import { EditPanel } from '~/src/ui/office/EditPage'
import { Section, TextField } from '~/src/ui/office/fields'
import { ListPage } from '~/src/ui/office/ListPage'
import pages from '~/src/ui/office/pages.module.css'
import { Panel } from '~/src/ui/office/Panel'
import { useOpened } from '~/src/ui/office/tableState'
import { SkeletonLines } from '~/src/ui/states'
import { leaving, useUnsaved } from '~/src/ui/unsaved'
import { AuditTrail } from '../audit/AuditTrail'
import { textsOf } from '../texts'
import { useOffice } from '../useOffice'
import { Comparison } from './Comparison'
import css from './languages.module.css'

const written = (pairs: Record<string, string>) => JSON.stringify(pairs, null, 2)

/** The key-value texts of one language as JSON. */
const JsonEditor = ({
  language,
  fallback,
  onClose,
}: {
  language: Language
  fallback: Language | undefined
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { may, say } = useOffice()
  const [text, setText] = useState(() => written(language.keyValuePairs))
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const question = useUnsaved(text !== written(language.keyValuePairs))
  const { i18n } = useTranslation()
  // The drivers' texts come with their pages: who translates wants them too.
  use(textsOf(i18n, 'trip'))
  // Every key the product speaks, and whatever the default language has of its own.
  const builtIn = i18n.getResourceBundle('en', 'translation') as Record<string, string>
  const complete = { ...builtIn, ...fallback?.keyValuePairs }
  // What is typed is compared once typing rests: two thousand texts are not read at every key.
  const rested = useDeferredValue(text)
  const { texts, compared } = useMemo(() => {
    const pairs = parsePairs(rested)
    const now = pairs.ok ? pairs.value : language.keyValuePairs
    return { texts: now, compared: compareTexts(now, complete) }
    // Made anew at each drawing, of the same texts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rested, language, fallback])
  const { missing } = compared
  const submit = async () => {
    const pairs = parsePairs(text)
    if (!pairs.ok) return setRefused(pairs.error)
    if (!may('language_save')) return setRefused(refusal('demo_mode'))
    setBusy(true)
    setRefused(null)
    try {
      await dispatch(
        editLanguage({
          language: { id: language.id, keyValuePairs: pairs.value },
          method: 'Update',
          quiet: true,
        }),
      ).unwrap()
      say('saved')
      onClose()
    } catch (error) {
      setRefused(error as Refusal)
      setBusy(false)
    }
  }
  const addMissing = () => {
    const pairs = parsePairs(text)
    if (!pairs.ok) return setRefused(pairs.error)
    setText(
      written({
        ...Object.fromEntries(missing.map((key) => [key, complete[key] ?? ''])),
        ...pairs.value,
      }),
    )
  }
  return (
    <>
      {missing.length > 0 && (
        <div className={css.missing}>
          <p>{t('missing_keys', { count: missing.length })}</p>
          <Button size="small" onClick={addMissing}>
            {t('add_missing_keys')}
          </Button>
        </div>
      )}
      <textarea
        className={css.json}
        aria-label={t('edit_json')}
        aria-invalid={refused?.key === 'json_error' || undefined}
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setRefused(null)
        }}
      />
      {refused && (
        <p className={pages.refused} role="alert">
          {t(refused.key)}
          {refused.params?.key !== undefined && `: ${refused.params.key}`}
        </p>
      )}
      <div className={pages.foot}>
        <Button look="primary" busy={busy} onClick={() => void submit()}>
          {t('submit')}
        </Button>
        <Button onClick={() => leaving(onClose)}>{t('cancel')}</Button>
      </div>
      <Comparison compared={compared} texts={texts} fallback={complete} />
      {question}
    </>
  )
}

/** The panel in which texts are edited; it reads them, and those of the default language beside them. */
const JsonPanel = ({ id, name, onClose }: { id: string; name: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const { opened } = useLive(languageOpened, id)
  usePaymentTexts()
  const { found, loading } = useLive(languageTexts, null)
  const [language] = opened
  return (
    <Panel wide title={t('edit_json_of', { name })} onClose={() => leaving(onClose)}>
      {language && !loading ? (
        <Suspense fallback={<SkeletonLines />}>
          <JsonEditor language={language} fallback={found[0]} onClose={onClose} />
        </Suspense>
      ) : (
        <SkeletonLines />
      )}
    </Panel>
  )
}

/** The languages of the interface: which is the default, and their texts. */
export const LanguagesPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { allowed, may, say, sayDeleted } = useOffice()
  const { langlist, ...look } = useLive(liveLanguages)
  // 'new', an id, or 'id~json'.
  const { opened, open, close } = useOpened('edit')
  const [edited = null, part = null] = opened?.split('~') ?? []
  const language = langlist.find(({ id }) => id === edited)

  /** Says when it is done; a language that was added is looked for anew. */
  const done = (work: Promise<unknown>, then: () => void) =>
    void work.then(
      () => {
        look.retry()
        then()
      },
      // The refusal is a notice already.
      () => undefined,
    )
  const guarded = (action: OfficeAction, then: () => void) => () => {
    if (allowed(action)) then()
  }
  const makeDefault = (id: string) =>
    void dispatch(makeDefaultLanguage({ id, all: langlist }))
      .unwrap()
      .then(
        () => say('saved'),
        () => undefined,
      )
  const remove = async (row: LanguageRow) => {
    if (row.default) {
      dispatch(noticeRaised({ tone: 'problem', text: 'cannot_delete_default_language' }))
      return
    }
    // To have it back it must be known whole. The refusal is a notice already.
    const language = await dispatch(fetchLanguage(row.id))
      .unwrap()
      .catch(() => null)
    if (!language) return
    done(dispatch(editLanguage({ language, method: 'Delete' })).unwrap(), () =>
      sayDeleted(() => {
        const back = dispatch(editLanguage({ language, method: 'Add' }))
        done(back.unwrap(), () => undefined)
        return back
      }),
    )
  }
  const save = async (values: LanguageForm) => {
    if (!may('language_save')) throw refusal('demo_mode')
    const { id } = langlist.find((one) => one.default) ?? {}
    const defaults = !language && id ? await dispatch(fetchLanguage(id)).unwrap() : null
    const made = newLanguage({ ...values, id: '' }, defaults ? [defaults] : [], Date.now())
    await dispatch(
      editLanguage(
        language
          ? { language: { id: language.id, ...values }, method: 'Update', quiet: true }
          : { language: { ...made, id: undefined }, method: 'Add', quiet: true },
      ),
    ).unwrap()
    if (!language) look.retry()
    say('saved')
  }
  const columns: Column<LanguageRow>[] = [
    { id: 'langName', title: t('language'), sort: (l) => l.langName, cell: (l) => l.langName },
    {
      id: 'langLocale',
      title: t('lang_locale'),
      sort: (l) => l.langLocale,
      cell: (l) => l.langLocale,
    },
    {
      id: 'dateLocale',
      title: t('date_locale'),
      sort: (l) => l.dateLocale,
      cell: (l) => l.dateLocale,
    },
    {
      id: 'default',
      title: t('default'),
      sort: (l) => (l.default ? 0 : 1),
      cell: (l) => (l.default ? <StatusChip tone="success">{t('default')}</StatusChip> : null),
    },
  ]
  return (
    <ListPage
      id="languages"
      title={t('menu_languages')}
      look={look}
      add={{ label: t('add_language'), onAdd: guarded('language_save', () => open('new')) }}
      empty={t('no_languages_available')}
      rows={langlist}
      columns={columns}
      search={(l) => `${l.langName} ${l.langLocale}`}
      onOpen={(l) => open(l.id)}
      actions={(l) => (
        <span className={css.actions}>
          <Button size="small" onClick={() => open(`${l.id}~json`)}>
            {t('edit_json')}
          </Button>
          <Button
            size="small"
            disabled={l.default}
            onClick={guarded('language_default', () => makeDefault(l.id))}
          >
            {t('make_default')}
          </Button>
          <IconButton
            label={t('delete')}
            onClick={guarded('language_delete', () => void remove(l))}
          >
            <Icon name="trash" />
          </IconButton>
        </span>
      )}
      {...(may('table_export') && { exportAs: { name: 'languages' } })}
    >
      {language && part === 'json' ? (
        <JsonPanel
          key={language.id}
          id={language.id}
          name={language.langName}
          onClose={() => close()}
        />
      ) : (
        (language || edited === 'new') && (
          <EditPanel<LanguageForm>
            key={edited}
            title={language?.langName ?? t('add_language')}
            schema={languageForm}
            initial={{
              langName: language?.langName ?? '',
              langLocale: language?.langLocale ?? '',
              dateLocale: language?.dateLocale ?? '',
            }}
            onSave={save}
            onClose={() => close()}
          >
            {(field) => (
              <>
                {!language && <p className={pages.lead}>{t('new_language_lead')}</p>}
                <TextField label={t('lang_name')} {...field('langName')} />
                <TextField label={t('lang_locale')} hint="en, pt, ar" {...field('langLocale')} />
                <TextField label={t('date_locale')} hint="en-GB, pt-BR" {...field('dateLocale')} />
                {language && (
                  <Section title={t('audit_of_record')}>
                    <AuditTrail path={`languages/${language.id}`} />
                  </Section>
                )}
              </>
            )}
          </EditPanel>
        )
      )}
    </ListPage>
  )
}
