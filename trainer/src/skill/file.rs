use entente_network::{
    NetworkError, NetworkKind as _, Policy, SKILL_KEY, Skill,
    onnx::{ModelProto, StringStringEntryProto},
};
use prost::Message as _;

/// Replaces the skill in the metadata of a policy's ONNX file. `name` is the name of the file for messages.
///
/// # Errors
///
/// If `bytes` are not a policy, or the engine cannot read the result.
pub fn with_skill(name: &str, bytes: &[u8], skill: &Skill) -> Result<Vec<u8>, NetworkError> {
    let unusable = |reason: String| NetworkError::Model { name: name.to_owned(), reason };
    let mut model = ModelProto::decode(bytes).map_err(|error| unusable(error.to_string()))?;
    model.metadata_props.retain(|entry| entry.key != SKILL_KEY);
    model.metadata_props.push(StringStringEntryProto { key: SKILL_KEY.to_owned(), value: skill.text() });
    let bytes = model.encode_to_vec();
    let read = Policy::from_bytes(name, &bytes)?;
    if read.skill().map(|skill| &**skill) != Some(skill) {
        return Err(unusable("the skill changes when it is written and read".to_owned()));
    }
    Ok(bytes)
}
