/** A column of a table: a field of the rows and its heading. */
export interface Column {
  readonly field: string;
  readonly title: string;
  /** Field of the row with the address that the value links to. */
  readonly link?: string;
  /** An ISO 8601 time, shown in each reader's own time zone. */
  readonly as?: 'time';
}

/** A list: the field with its rows, records that all have the same fields. */
export interface Table {
  readonly rows: string;
  /** The columns, or, where each answer has its own, the result field with their names and the row field with the cells. */
  readonly columns: readonly Column[] | { readonly names: string; readonly cells: string };
  /** Field with the full number of rows, when not all are included: "20 of 47 shown". */
  readonly total?: string;
  /** Field that is true when the total is only a lower bound. */
  readonly least?: string;
}

/** How a result is displayed. */
export interface Shows {
  /** Its lists, of which the first that has rows is shown. */
  readonly tables?: readonly Table[];
  /** Fields that qualify the result for people and that no step needs: models never see them. */
  readonly besides?: readonly string[];
  /** Field with sentences. Text in `lines` is shown verbatim where neither a table nor prose is declared. */
  readonly prose?: string;
  /** Field of which a card says the beginning behind the outcome, in quotes. */
  readonly quotes?: string;
  /**
   * Fields with the address of something the step found or made. The link goes on the value of `names`, a field or an
   * argument, where that is shown; otherwise on a line of its own with these words.
   */
  readonly links?: readonly { readonly field: string; readonly words: string; readonly names?: string }[];
}
