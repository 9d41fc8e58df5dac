use entente_network::{NetworkError, NetworkKind as _, Policy, SKILL_KEY, Skill};
use prost::Message as _;
use tract_onnx::pb::{ModelProto, StringStringEntryProto};

/// The bytes of a policy's ONNX file with another skill in its metadata; `name` is for messages.
///
/// # Errors
/// If they are no policy, or the engine does not understand what becomes of them.
pub fn with_skill(name: &str, bytes: &[u8], skill: &Skill) -> Result<Vec<u8>, NetworkError> {
    let unusable = |reason: String| NetworkError::Model { name: name.to_owned(), reason };
    let mut model = ModelProto::decode(bytes).map_err(|error| unusable(error.to_string()))?;
    model.metadata_props.retain(|entry| entry.key != SKILL_KEY);
    model.metadata_props.push(StringStringEntryProto { key: SKILL_KEY.to_owned(), value: skill.text() });
    let bytes = model.encode_to_vec();
    let read = Policy::from_bytes(name, &bytes)?;
    if read.skill().map(|skill| &**skill) != Some(skill) {
        return Err(unusable("its skill is read as another one".to_owned()));
    }
    Ok(bytes)
}
