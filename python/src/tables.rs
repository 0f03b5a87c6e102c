//! Tables in Arrow format, which other libraries use without a copy.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringDictionaryBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use carom::motion::SimTime;
use carom::record::tables::{Column, Kind, Line};
use numpy::PyArray1;
use pyo3::exceptions::{PyImportError, PyKeyError, PyModuleNotFoundError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

/// The suffix of the name of the second column of an instant, as in Parquet.
const REST: &str = "_rest";

/// The rows of a table under construction.
pub(crate) struct Rows {
    name: String,
    fields: Vec<Field>,
    columns: Vec<Values>,
    /// The column of the next value.
    next: usize,
}

/// The values of a column.
enum Values {
    Whole(UInt64Builder),
    Real(Float64Builder),
    Word(StringDictionaryBuilder<Int32Type>),
}

impl Rows {
    pub(crate) fn new(name: &str, columns: &[Column<'_>]) -> Self {
        let mut rows = Self { name: name.to_owned(), fields: Vec::new(), columns: Vec::new(), next: 0 };
        columns.iter().for_each(|column| rows.declare(column));
        rows
    }

    fn declare(&mut self, &Column { name, kind, unit }: &Column<'_>) {
        let real = |name: String| (Field::new(name, DataType::Float64, true), Values::Real(Float64Builder::new()));
        let declared = match kind {
            Kind::Whole | Kind::WholeOrNone => {
                vec![(Field::new(name, DataType::UInt64, true), Values::Whole(UInt64Builder::new()))]
            }
            Kind::Real | Kind::RealOrNone => vec![real(name.to_owned())],
            Kind::Instant => vec![real(name.to_owned()), real(format!("{name}{REST}"))],
            Kind::Word => {
                let words = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
                vec![(Field::new(name, words, true), Values::Word(StringDictionaryBuilder::new()))]
            }
        };
        for (field, values) in declared {
            let metadata = if unit.is_empty() { HashMap::new() } else { [("unit".to_owned(), unit.to_owned())].into() };
            self.fields.push(field.with_metadata(metadata));
            self.columns.push(values);
        }
    }

    /// Adds a row. `put` gives its values.
    pub(crate) fn put(&mut self, put: impl FnOnce(&mut Self)) {
        self.next = 0;
        put(self);
    }

    pub(crate) fn finish(self) -> PyResult<Table> {
        let columns = self.columns.into_iter().map(|values| -> ArrayRef {
            match values {
                Values::Whole(mut values) => Arc::new(values.finish()),
                Values::Real(mut values) => Arc::new(values.finish()),
                Values::Word(mut values) => Arc::new(values.finish()),
            }
        });
        let schema = Arc::new(Schema::new(self.fields));
        let batch = RecordBatch::try_new(schema, columns.collect()).map_err(|error| unfit(&error))?;
        Ok(Table { name: self.name, batch })
    }
}

impl Line for Rows {
    fn whole_or_none(&mut self, value: Option<u64>) {
        if let Values::Whole(values) = &mut self.columns[self.next] {
            values.append_option(value);
        }
        self.next += 1;
    }

    fn real_or_none(&mut self, value: Option<f64>) {
        if let Values::Real(values) = &mut self.columns[self.next] {
            values.append_option(value);
        }
        self.next += 1;
    }

    fn instant(&mut self, value: SimTime) {
        let (seconds, rest) = value.seconds_and_rest();
        self.real(seconds);
        self.real(rest);
    }

    /// An empty word is stored as a missing value.
    fn word(&mut self, value: &str) {
        if let Values::Word(values) = &mut self.columns[self.next] {
            values.append_option((!value.is_empty()).then_some(value));
        }
        self.next += 1;
    }
}

/// A table that pandas, polars, pyarrow and DuckDB can use directly.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Table {
    name: String,
    batch: RecordBatch,
}

#[pymethods]
impl Table {
    /// The name of the table.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The units of the columns that have one.
    #[getter]
    fn units(&self) -> HashMap<String, String> {
        let fields = self.batch.schema_ref().fields().iter();
        fields.filter_map(|field| Some((field.name().clone(), field.metadata().get("unit")?.clone()))).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// A column as an array of NumPy: numbers, where a missing one is NaN, or texts, where a missing one is `None`.
    /// Whole numbers of which one is missing are floats.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(column) = self.batch.column_by_name(name) else {
            let known = self.columns().join(", ");
            return Err(PyKeyError::new_err(format!("no column is called {name:?}: there are {known}")));
        };
        if let Some(reals) = column.as_primitive_opt::<Float64Type>() {
            return Ok(PyArray1::from_iter(py, reals.iter().map(|real| real.unwrap_or(f64::NAN))).into_any());
        }
        if let Some(wholes) = column.as_primitive_opt::<UInt64Type>() {
            if wholes.null_count() > 0 {
                let reals = wholes.iter().map(|whole| whole.map_or(f64::NAN, |whole| whole as f64));
                return Ok(PyArray1::from_iter(py, reals).into_any());
            }
            return Ok(PyArray1::from_slice(py, wholes.values()).into_any());
        }
        let (codes, words) = words_of(column);
        let words = PyList::new(py, codes.iter().map(|&code| words.get(code as usize)))?;
        let options = PyDict::new(py);
        options.set_item("dtype", "object")?;
        py.import("numpy")?.call_method("array", (words,), Some(&options))
    }

    /// The table as a `pandas.DataFrame`. Words are of a category, and whole numbers of which one is missing are of the
    /// type `UInt64`.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas = needed(py, "pandas", "to_pandas")?;
        let columns = PyDict::new(py);
        for (field, column) in self.batch.schema_ref().fields().iter().zip(self.batch.columns()) {
            let values = if matches!(field.data_type(), DataType::Dictionary(..)) {
                let (codes, words) = words_of(column);
                pandas.getattr("Categorical")?.call_method1("from_codes", (codes, words))?
            } else if let Some(wholes) = column.as_primitive_opt::<UInt64Type>().filter(|all| all.null_count() > 0) {
                let wholes = wholes.iter().collect::<Vec<_>>();
                pandas.call_method1("array", (wholes, "UInt64"))?
            } else {
                self.__getitem__(py, field.name())?
            };
            columns.set_item(field.name(), values)?;
        }
        pandas.call_method1("DataFrame", (columns,))
    }

    /// The table as a `polars.DataFrame`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        needed(slf.py(), "polars", "to_polars")?.call_method1("DataFrame", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("<carom.Table {}: {} rows of {}>", self.name, self.batch.num_rows(), self.columns().join(", "))
    }

    /// The stream of the Arrow C data interface. The types of the columns do not depend on the requested schema.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema of the Arrow C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref()).map_err(|error| unfit(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// The codes of a column of words, -1 where one is missing, and the words.
fn words_of(column: &ArrayRef) -> (Vec<i32>, Vec<String>) {
    let Some(words) = column.as_dictionary_opt::<Int32Type>() else { return (Vec::new(), Vec::new()) };
    let codes = words.keys().iter().map(|code| code.unwrap_or(-1)).collect();
    let known = words.values().as_string_opt::<i32>();
    let known = known.map(|known| known.iter().flatten().map(str::to_owned).collect());
    (codes, known.unwrap_or_default())
}

/// A library that a method needs.
fn needed<'py>(py: Python<'py>, library: &str, method: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(library).map_err(|error| {
        if error.is_instance_of::<PyModuleNotFoundError>(py) {
            PyImportError::new_err(format!("{method} needs {library}, which is not installed: pip install {library}"))
        } else {
            error
        }
    })
}

fn unfit(error: &ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
