import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '~/domain/entities'
import { type DomainError, domainError } from '~/domain/errors'
import { type LanguageForm, languageForm } from '~/domain/forms/catalogForms'
import { compareTexts, mergeTexts, createLanguage, parseTexts } from '~/domain/languages'
import { findVariableFault } from '~/domain/messages/messageTexts'
import type { OfficeAction } from '~/domain/permissions'
import {
  editLanguage,
  fetchLanguage,
  languageById,
  makeDefaultLanguage,
} from '~/src/features/languages/languageEdits'
import {
  type LanguageSummary,
  languages as liveLanguages,
} from '~/src/features/languages/languages'
import { languageTexts } from '~/src/features/languages/languageTexts'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import driverTexts from '~/src/i18n/locales/en/trip.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { Button, IconButton, StatusChip } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { isSameValue, ConcurrentEditsDialog } from '~/src/ui/forms/concurrentEdits'
import type { Column } from '~/src/ui/table/DataTable'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { Section, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import { Panel } from '~/src/office/recordPages/Panel'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { SkeletonLines } from '~/src/ui/states'
import { confirmLeave, useUnsavedChangesPrompt } from '~/src/ui/unsavedChanges'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { describeVariableFault } from '../messages/variableFault'
import { useOfficeSession } from '../useOfficeSession'
import { TextComparison } from './TextComparison'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './languages.module.css'

/** Maximum number of conflicting texts that one question shows. */
const MAX_SHOWN_CONFLICTS = 20

const toJsonText = (pairs: Record<string, string>) => JSON.stringify(pairs, null, 2)

/** Edits the key-value texts of one language as JSON. */
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
  const { can, notify } = useOfficeSession()
  const [opened] = useState(language.keyValuePairs)
  const [text, setText] = useState(() => toJsonText(opened))
  const [unsaved, setUnsaved] = useState<Record<string, string> | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [fault, setFault] = useState<ReturnType<typeof findVariableFault>>()
  const { busy, run } = useSingleRun({ isLast: true })
  const question = useUnsavedChangesPrompt(text !== toJsonText(opened))
  const { i18n } = useTranslation()
  // The driver texts load only with the driver pages, but translators need them here too.
  useAddedTexts(driverTexts)
  // Contains every key of the product, plus keys that only the default language has.
  const builtIn = i18n.getResourceBundle('en', 'translation') as Record<string, string>
  const complete = { ...builtIn, ...fallback?.keyValuePairs }
  // We compare only after typing pauses: parsing two thousand texts at each keystroke would be
  // slow.
  const rested = useDeferredValue(text)
  const { texts, compared } = useMemo(() => {
    const pairs = parseTexts(rested)
    const now = pairs.ok ? pairs.value : language.keyValuePairs
    return { texts: now, compared: compareTexts(now, complete) }
    // Each render creates a new object from the same texts.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rested, language, fallback])
  const { missing } = compared
  const isChangedElsewhere = !isSameValue(language.keyValuePairs, opened)
  const submit = async () => {
    const pairs = parseTexts(text)
    if (!pairs.ok) return setRefused(pairs.error)
    const wrong = Object.entries(pairs.value).find((entry) => findVariableFault(...entry))
    if (wrong) return setFault(findVariableFault(...wrong))
    if (!can('language_save')) return setRefused(domainError('demo_mode'))
    const joined = mergeTexts(opened, pairs.value, language.keyValuePairs)
    if (joined.conflicts.length > 0) return setUnsaved(pairs.value)
    await write(joined.texts)
  }
  const write = async (keyValuePairs: Record<string, string>) => {
    setRefused(null)
    await run(async () => {
      await dispatch(
        editLanguage.quiet({
          language: { id: language.id, keyValuePairs },
          method: 'Update',
        }),
      ).unwrap()
      notify('saved')
      onClose()
    }).catch((error: unknown) => setRefused(error as DomainError))
  }
  const addMissing = () => {
    const pairs = parseTexts(text)
    if (!pairs.ok) return setRefused(pairs.error)
    setText(
      toJsonText({
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
        aria-invalid={refused?.key === 'json_error' || fault !== undefined || undefined}
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setRefused(null)
          setFault(undefined)
        }}
      />
      {isChangedElsewhere && (
        <p className={pages.note} role="status">
          {t('texts_changed_elsewhere')}
        </p>
      )}
      {refused && (
        <p className={pages.refused} role="alert">
          {t(refused.key)}
          {refused.params?.key !== undefined && `: ${refused.params.key}`}
        </p>
      )}
      {fault && (
        <p className={pages.refused} role="alert">
          <bdi dir="ltr">{fault.key}</bdi>: {describeVariableFault(fault, t)}
        </p>
      )}
      <div className={pages.foot}>
        <Button variant="primary" busy={busy} onClick={() => void submit()}>
          {t('submit')}
        </Button>
        <Button onClick={() => confirmLeave(onClose)}>{t('cancel')}</Button>
      </div>
      {unsaved && (
        <ConcurrentEditsDialog
          conflicts={mergeTexts(opened, unsaved, language.keyValuePairs)
            .conflicts.slice(0, MAX_SHOWN_CONFLICTS)
            .map((key) => ({
              name: key,
              from: opened[key],
              to: language.keyValuePairs[key],
              mine: unsaved[key],
              isResolved: false,
              described: {
                label: key,
                formatValue: (one) => (typeof one === 'string' ? one : t('empty_value')),
              },
            }))}
          getAuthor={() => undefined}
          onKeep={() => write(mergeTexts(opened, unsaved, language.keyValuePairs).texts)}
          onTake={() => write(mergeTexts(opened, language.keyValuePairs, unsaved).texts)}
          onClose={() => setUnsaved(null)}
        />
      )}
      <TextComparison compared={compared} texts={texts} fallback={complete} />
      {question}
    </>
  )
}

/**
 * Shows the text editor; loads the texts of the language and of the default language next to them.
 */
const JsonPanel = ({ id, name, onClose }: { id: string; name: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const { opened } = useLive(languageById, id)
  usePaymentTexts()
  const { found, loading } = useLive(languageTexts, null)
  const [language] = opened
  return (
    <Panel wide title={t('edit_json_of', { name })} onClose={() => confirmLeave(onClose)}>
      {language && !loading ? (
        <JsonEditor language={language} fallback={found[0]} onClose={onClose} />
      ) : (
        <SkeletonLines />
      )}
    </Panel>
  )
}

/** Lists the languages of the interface with their texts and marks the default language. */
export const LanguagesPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { canOrNotify, can, notify, notifyDeleted } = useOfficeSession()
  const { langlist, ...listQuery } = useLive(liveLanguages)
  // Contains 'new', an ID, or 'id~json'.
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const [edited = null, part = null] = opened?.split('~') ?? []
  const language = langlist.find(({ id }) => id === edited)
  const authors = useEditAuthors(language && `languages/${language.id}`)

  /** Reports success, and reloads the list after a language was added. */
  const done = (work: Promise<unknown>, then: () => void) =>
    void work.then(
      () => {
        listQuery.retry()
        then()
      },
      // The refusal is already shown as a notice.
      () => undefined,
    )
  const guarded = (action: OfficeAction, then: () => void) => () => {
    if (canOrNotify(action)) then()
  }
  const makeDefault = (id: string) =>
    void dispatch(makeDefaultLanguage({ id, all: langlist }))
      .unwrap()
      .then(
        () => notify('saved'),
        () => undefined,
      )
  const remove = async (row: LanguageSummary) => {
    if (row.default) {
      dispatch(
        noticeRaised({
          tone: 'problem',
          text: 'cannot_delete_default_language',
          endedBy: ENDED_BY_PAGE_CHANGE,
        }),
      )
      return
    }
    // Restoring it later requires the whole language. The refusal is already shown as a notice.
    const language = await dispatch(fetchLanguage(row.id))
      .unwrap()
      .catch(() => null)
    if (!language) return
    done(dispatch(editLanguage({ language, method: 'Delete' })).unwrap(), () =>
      notifyDeleted(() => {
        const back = dispatch(editLanguage({ language, method: 'Add' }))
        done(back.unwrap(), () => undefined)
        return back
      }),
    )
  }
  const save = async (values: LanguageForm, changes: Partial<LanguageForm>) => {
    if (!can('language_save')) throw domainError('demo_mode')
    const { id } = langlist.find((one) => one.default) ?? {}
    const defaults = !language && id ? await dispatch(fetchLanguage(id)).unwrap() : null
    const made = createLanguage({ ...values, id: '' }, defaults ? [defaults] : [], Date.now())
    await dispatch(
      editLanguage.quiet(
        language
          ? { language: { id: language.id, ...changes }, method: 'Update' }
          : { language: { ...made, id: undefined }, method: 'Add' },
      ),
    ).unwrap()
    if (!language) listQuery.retry()
    notify('saved')
  }
  const columns: Column<LanguageSummary>[] = [
    { id: 'langName', title: t('language'), sortValue: (l) => l.langName, cell: (l) => l.langName },
    {
      id: 'langLocale',
      title: t('lang_locale'),
      sortValue: (l) => l.langLocale,
      cell: (l) => l.langLocale,
    },
    {
      id: 'dateLocale',
      title: t('date_locale'),
      sortValue: (l) => l.dateLocale,
      cell: (l) => l.dateLocale,
    },
    {
      id: 'default',
      title: t('default'),
      sortValue: (l) => (l.default ? 0 : 1),
      exportValue: (l) => t(l.default ? 'yes' : 'no'),
      cell: (l) => (l.default ? <StatusChip tone="success">{t('default')}</StatusChip> : null),
    },
  ]
  return (
    <ListPage
      id="languages"
      title={t('menu_languages')}
      query={listQuery}
      add={{ label: t('add_language'), onAdd: guarded('language_save', () => open('new')) }}
      empty={t('no_languages_available')}
      rows={langlist}
      columns={columns}
      toSearchText={(l) => `${l.langName} ${l.langLocale}`}
      linkTo={(l) => linkTo(l.id)}
      onOpen={(l) => open(l.id)}
      openedId={part ? null : edited}
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
      {...(can('table_export') && { exportAs: { name: 'languages' } })}
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
            {...authors}
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
